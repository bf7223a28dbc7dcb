"""Seats: joining, leaving, bots, tokens, rematches, and many new matches at once."""
