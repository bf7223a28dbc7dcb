"""`foldtable audit`: checks everything stored about matches, and reports values that contradict the rest."""
