"""`foldtable arena`: levels of bots play each other."""
