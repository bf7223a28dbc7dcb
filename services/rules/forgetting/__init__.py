"""Forgetting: a player is erased, a match deleted, and everything that is kept of a player exported.

`personal_data.py` is the list of all places where something stands of a player; erasing and exporting follow it, and tests hold
both and the database to it.
"""
