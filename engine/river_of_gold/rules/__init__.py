"""The rulebook, one file per chapter or rule; see the table in the package's docstring."""
