"""The rules server: one process serves one game, or several on a small machine.

Requests come in through `api/match_service.py`, which names the object that serves each call. A move takes the
path written in `match/moves.py`; docs/build/architecture.md lists all its stages.
"""
