"""Positions, moves and events of River Dragons as lines of text."""
