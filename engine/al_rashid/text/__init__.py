"""Positions, moves and events of Al-Rashid as lines of text."""
