"""Long-lived streams: many moves, many subscriptions to matches, the updates of one match."""
