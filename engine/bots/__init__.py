"""Bots: who plays a seat by its own knowledge, at three strengths. They know no game and no clock.

===========  ==================================================================================
file         what is in it
===========  ==================================================================================
bot.py       what a bot is, and what it is given: tables that could be the true one, luck, a budget
budget.py    how long a bot may think: so many playouts, or so many seconds
levels.py    the levels by name
candidates.py  what is considered at all
worth.py     what a table is worth to a seat
greedy.py    one step ahead
search.py    short playouts of the best candidates
===========  ==================================================================================

A bot never gets the true table. It gets deals (`Game.redeal`): tables its seat cannot tell from the true one, which is all
that the seat knows; and it draws from luck of its own, never from the match's.
"""
