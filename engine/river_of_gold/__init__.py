"""River of Gold (Keith Piggott, Office Dog): the complete rules with the Clan Patrons, 2 to 4 players.

Follows the publisher's rulebook in three languages; where they are silent or differ, RULINGS.md ([A1] to [A45],
[F1] …). The decider is `engine.river_of_gold.game.GAME`.

=======  =============================================================================
chapter  file
=======  =============================================================================
§1       box/components.py (kinds, counts, limits), box/ids.py, box/board.py, box/buildings.py with box/rewards.py; box/catalogue.py
§2       rules/setup.py, options.py
§3       rules/course.py (what follows what), rules/favor.py, rules/exchanging.py, phases.py (who is asked for what)
§4       rules/building.py; §4.5 rules/row.py; §4.6 rules/influence.py
§5       rules/sailing.py (§5.1, §5.5), rules/visiting.py (§5.2, §5.3), rules/journeys.py (§5.4)
§6       rules/delivering.py; §6.4, §6.5 rules/cards.py
§7       rules/masteries.py, box/masteries.py
§8       rules/turn_end.py; §8.2 rules/visiting.py; §8.5, §8.6 rules/scoring.py
§9       box/patrons.py, rules/setup.py; each patron's effect in the rule it changes
§10      box/customers.py; rules/delivering.py, rules/journeys.py (merchants), rules/sailing.py and rules/visiting.py (nobles)
§11      rules/choices.py, rules/turn.py (who may answer), legal.py (every legal answer), agents/policy.py (the answers for an absent player), agents/evaluation.py (what a standing is worth), view.py with view_parts.py,
         knowledge.py (what a seat cannot know)
§12      RULINGS.md; leaving: rules/leaving.py; what players own, counted once [A15]: rules/holdings.py
=======  =============================================================================

Beside the chapters: package.py (the entry point), checks.py (for `foldtable check-game`), game.py (the table of contents), state.py (the complete state), actions.py, events.py with gain_events.py and event_parts.py,
evolve.py with evolve_course.py, evolve_gains.py and changes.py (how events change states), deciding.py, rules/gaining.py
(caps), templates.py, errors.py (codes of refusals), text/texts.py (what players read, in every language), text/wording.py and
text/drawing.py (the view for a terminal),
versions.py (of the rules), agents/action_space.py and agents/features.py (numbers for programs that learn).

For front ends that draw the table: layout/boards.py (all boards and mats, from layout/river.py with layout/river_spans.py,
layout/influence.py, layout/supply.py and layout/mats.py), layout/pieces.py and layout/held.py (what lies where), layout/places.py (the
ids that these share), layout/hints.py and layout/template_hints.py (how actions are presented), layout/groups.py (which belong together).

§12 Rulings. Where the rulebook is silent or unclear, or its editions differ, the project has decided, and every decision has a
number: A for rulings on the game, F for what a program needs as well. A changed ruling is a new version of the rules, and a
match keeps the version that it began with.
"""
