"""Webhooks: events of matches, sent to endpoints of the platforms. A library; the platform service runs it.

The log writes an event in the same transaction as the change that it describes (movelog/events.py). In that transaction
the database also adds a delivery for each endpoint that subscribes to the event (migration 0008). This package sends them.
"""
