"""`foldtable demo`: plays whole matches over REST, follows, replays and verifies them."""
