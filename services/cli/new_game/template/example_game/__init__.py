"""Example Game ("Three Bowls"), a small game for 2 to 5 players, as a package that Foldtable finds.

Read the files in this order:

=============================  ================================================================================
`package.py`                   where the parts are: what Foldtable reads first
`box.py`, `options.py`         what is in the box, and what is chosen before a match
`actions.py`, `events.py`      what a player may ask for, and what happens then
`state.py`, `evolve.py`        the whole truth, and how an event changes it
`rules/`                       the rulebook, one file for each chapter; `errors.py` has the codes of its refusals
`legal.py`, `templates.py`     who must decide, and every answer that is legal
`view.py`, `knowledge.py`      what an audience sees, and what it cannot know
`text/`, `layout.py`,          words, where things lie, and how actions are offered: all that a page needs that
`pieces.py`, `hints.py`        knows nothing of this game
`agents/`                      a policy for absent players, an evaluation for bots, numbers for machine learning
`versions.py`, `RULINGS.md`    the versions of the rules, and what the rulebook leaves open
`proto/`                       the same records as typed messages, and `contract.binpb`: both are built from the types
`checks.py`, `game.py`         what `foldtable check-game` should know, and everything together
=============================  ================================================================================

Nothing here reads a clock, a file or the network, and everything comes from `engine.interface`, msgspec or the standard
library. Luck is an argument, and a draw becomes part of an event.
"""
