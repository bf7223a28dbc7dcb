"""Positions, moves and events of River of Gold as lines of text."""
