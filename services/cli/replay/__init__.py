"""`foldtable replay`: steps through a match in the terminal, or prints it."""
