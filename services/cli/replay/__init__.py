"""`foldtable replay`: opens a match in the browser, or prints it. README.md says why there is nothing between the two."""
