"""`foldtable replay-all`: replays many stored matches, and counts what they were and what other rules would have decided."""
