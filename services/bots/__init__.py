"""The bot worker plays the seats of the built-in bots over the public API, like any other bot.

==================  ==================================================================================
file                what it contains
==================  ==================================================================================
__main__.py         the process
settings.py         settings from the environment
worker.py           one worker for one tenant: one task for each seat whose bot has to act
waiting_matches.py  the matches that wait for a bot: the feed, and a slow poll beside it
playing.py          one seat: read, think, move, as long as the seat has to act
thinking.py         the levels, in processes of their own
api.py              the client of the gateway; seat tokens
metrics.py          metrics for Prometheus
==================  ==================================================================================

A worker keeps no state that matters: any number of workers may play the same seats, and killing one does no harm.
Every move is conditional on the version for which it was chosen. So if two workers think about the same decision, exactly
one makes its move; the other is refused and reads the match again.
"""
