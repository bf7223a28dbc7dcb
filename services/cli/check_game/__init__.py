"""`foldtable check-game`."""
