"""Subscriptions to matches, over one stream to each rules server."""
