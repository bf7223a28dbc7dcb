"""Bots of three strengths, which play a seat with that seat's knowledge. They depend on no particular game and no clock.

===========  ==================================================================================
file         content
===========  ==================================================================================
bot.py       the protocol of a bot, and its input: possible states, chance, a budget
budget.py    the bound on a bot's work: a number of playouts, or of seconds
levels.py    the levels by name
candidates.py  the actions that a bot considers
worth.py     the value of a state for a seat
greedy.py    search one step ahead
search.py    short playouts of the best candidates
===========  ==================================================================================

A bot never gets the true state. It gets deals (`Game.redeal`): states that its seat cannot distinguish from the true one, so
they contain nothing that the seat does not know. A bot draws from its own source of chance, never from the match's.
"""
