"""What the games share: the decider, chance, errors, codec, replay, outcome. No framework.

=============  =====================================================================
file           what it answers
=============  =====================================================================
game.py        what a game is: its functions and types, gathered in one value
seats.py       who sits where, who looks on
records.py     base classes of actions, events, views and options
legal.py       what a seat may do now, as a list or as a template
pending.py     who must decide what, and why
recorder.py    a move decided step by step on a working state
chance.py      the one door luck comes through
errors.py      how the rulebook says no
outcome.py     how a match ended, with a breakdown
codec.py       records to canonical JSON bytes and back, old shapes included
allowed.py     what would have been right, where something cannot be read
requests.py    what a row of the log asks for: start, a game's action, resignation
replay.py      fold a log, play while valid, decide it all again
knowledge.py   what an audience comes to know
house.py       what the house asks and records in a match, whatever the game
course.py      which rows of a log count, once moves can be taken back
folding.py     rows to tables, taken back or not
boundary.py    how far a seat may take its moves back by itself
undoing.py     taking back: what the house decides
aborting.py    calling a match off, and how it stands then
forking.py     a match that begins at a table of another one
consent.py     one seat proposes, the others answer
playout.py     whole random matches
=============  =====================================================================
"""
