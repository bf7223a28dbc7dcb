"""The rules, by chapter of the rulebook; the docstring of the parent package lists the files."""
