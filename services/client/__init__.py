"""The asynchronous client of the REST API, for the command line and the bot worker.

The published Python client (clients/python) decides what may be sent again, after how long, and where a stream is
resumed. This package adds the asynchronous part: `rest.py` sends requests and reads streams, `match_subscriber.py` subscribes to one match.
"""
