"""Seats: joining, leaving, bots, tokens, rematches."""
