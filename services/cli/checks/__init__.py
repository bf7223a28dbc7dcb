"""`foldtable verify` and `foldtable audit`."""
