"""`foldtable simulate`: plays thousands of random matches in parallel processes."""
