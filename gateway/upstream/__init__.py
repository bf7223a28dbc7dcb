"""Channels to the services behind the gateway: moves, subscriptions, catalogue, directory, and their refusals as problems."""
