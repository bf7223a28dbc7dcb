"""`foldtable tenants` and `foldtable keys`: accounts in the database."""
