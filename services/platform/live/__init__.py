"""Feeds of changes to matches, and tickets that open a stream."""
