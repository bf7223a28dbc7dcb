"""Webhooks: events of matches, pushed to endpoints of the platform's. A library; the platform service runs it.

The log writes an event in the transaction of what it tells (movelog/events.py), and the database addresses it to the
endpoints that want it, in the same transaction (migration 0008). From there on it is this package's business.

====================  ==============================================================================
file                  what it answers
====================  ==============================================================================
endpoints.py          endpoints in the database; endpoint_changes.py changes them
vault.py              secrets: made, and sealed with a key that is not in the database
urls.py               which addresses an endpoint may have
addresses.py          which IP addresses belong to somebody else's private network
connections.py        connections to public addresses only, each to the very address that was checked
posting.py            one HTTP request: bounded in time and size, no redirects
cloud_events.py       the body
schedule.py           when to try again
lanes.py              who delivers what next: leases on the events of one match
deliveries.py         what was sent: listed, sent again, tested
worker.py             delivers; any number of them at once
retention.py          forgets what is old
====================  ==============================================================================
"""
