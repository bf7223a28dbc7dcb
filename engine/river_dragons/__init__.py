"""River Dragons (Roberto Fraga, Matagot 2012): the complete rules, base board and expert side, 2 to 6 players.

It follows the publisher's Italian rulebook; where that is silent, RULINGS.md decides ([R1] to [R31], [F1] …). The
board's coordinates are this project's own. The decider is `engine.river_dragons.game.GAME`.

=======  =============================================================================
chapter  file
=======  =============================================================================
§1       box/components.py (counts, limits, cards), box/catalogue.py (the same for front ends)
§2       box/sites.py (villages, islands, water), box/board.py (pairs of supports), table.py
§3       rules/setup.py, options.py
§4       rules/rounds.py (the course of a round), phases.py (where in a round the match is)
§5       rules/programming.py
§6       rules/dragons.py
§7       phases.py (the parts of a card)
§7.1     rules/stones.py
§7.2     rules/planks.py; crossing and passing over: box/board.py
§7.3     rules/removal.py
§7.4     rules/moves.py
§7.5     rules/jumps.py
§8       rules/ending.py
§9       rules/expert.py, water.py (the legal region, exactly)
§10      view.py, knowledge.py (what a seat cannot know)
§11      legal.py (open decisions, every legal answer), rules/turn.py (who may answer), agents/policy.py (an absent player's answer),
         agents/evaluation.py with agents/ways.py (how good a position is)
§12      RULINGS.md; [R29] rules/leaving.py
§14      box/geometry.py (exact distances), box/sites.py
=======  =============================================================================

Files that belong to no chapter: state.py (the complete state), actions.py, events.py, evolve.py (applies events to states),
templates.py (sets too large to list), errors.py (refusal codes), text/texts.py (words), text/drawing.py (the view for a terminal)
and layout/ (boards.py and mat.py: places; pieces.py, planks.py, cards.py: what lies there; hints.py: how actions are presented).

§12 Rulings. Where the rulebook is silent or unclear, or its editions differ, the project has decided, and every decision has a
number: R for rulings on the game, F for what a program needs as well. A changed ruling is a new version of the rules, and a
match keeps the version that it began with.
"""
