"""Texts as data: a key of a message catalogue and its arguments. Clients format them in the reader's language."""
