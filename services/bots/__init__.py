"""The bot worker: plays the seats of the built-in bots, over the public API like anybody's bot.

============  ==================================================================================
file          what it contains
============  ==================================================================================
__main__.py   the process
settings.py   settings from the environment
worker.py     one worker for one tenant: one task for each seat whose bot has to act
listening.py  the matches that wait for a bot: the feed, and a slow poll beside it
playing.py    one seat: read, think, move, as long as the seat has to act
thinking.py   the levels, in processes of their own
api.py        the client of the gateway; seat tokens
metrics.py    metrics for Prometheus
============  ==================================================================================

A worker keeps no state that matters: any number of workers may play the same seats, and killing one does no harm.
Every move is conditional on the version it was decided on. So of two workers that think about the same decision exactly
one moves, and the other is refused as stale and reads the match again.
"""
