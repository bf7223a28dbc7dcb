"""The pure rules. They import the standard library and msgspec, and nothing of this project from outside this folder."""
