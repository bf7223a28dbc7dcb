"""Webhooks: events of matches, pushed to endpoints of the platform's. A library; the platform service runs it.

The log writes an event in the transaction of what it describes (movelog/events.py), and the database addresses it to the
endpoints that want it, in the same transaction (migration 0008). From there on it is this package's business.
"""
