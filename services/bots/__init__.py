"""The bot worker: plays the seats of the house's bots, over the public API like anybody's bot.

===========  ==================================================================================
file         what it answers
===========  ==================================================================================
__main__.py  the process
settings.py  what the environment says
worker.py    one worker for one tenant: who is waited for, and one task for each such seat
hearing.py   where bots are waited for: the feed, and a slow poll beside it
playing.py   one seat: look, think, move, as long as it is waited for
thinking.py  the levels, in processes of their own
api.py       the gateway as a careful client speaks to it; seat tokens
metrics.py   what Prometheus can ask
===========  ==================================================================================

A worker holds nothing that matters: any number of them may look after the same seats, and one that is killed is missed
by nobody. Every move is conditional on the version it was thought out for; so of two workers that think about the same
decision exactly one moves, and the other is told that it is stale and looks again.
"""
