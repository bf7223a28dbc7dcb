"""`foldtable audit`: walks everything that is stored of matches and names what does not follow from anything else."""
