"""Long-lived streams: moves, many followed matches, one watched match."""
