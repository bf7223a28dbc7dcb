"""The rulebook, one file per chapter; see the map in the package above."""
