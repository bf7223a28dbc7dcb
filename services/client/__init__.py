"""The asynchronous client of the REST API, for the command line and the bot worker.

What may be sent again, after how long, and where a stream is taken up again is decided by the published Python client
(docs/clients/python), so here is only what waits: `rest.py` sends and reads streams, `follower.py` follows one match.
"""
