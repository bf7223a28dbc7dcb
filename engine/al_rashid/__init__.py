"""Al-Rashid (Pierluca Zizzi and Giorgio De Michele, Yemaia 2012): the complete rules, 2 to 5 players.

Follows the publisher's Italian rulebook; where that is silent, RULINGS.md ([R1] to [R41], [F1] …). The
decider is `engine.al_rashid.game.GAME`.

=======  =============================================================================
chapter  file
=======  =============================================================================
§1, §2   box/components.py (goods, pieces, tiles, limits), box/areas.py, box/offices.py; box/catalogue.py for front ends
§2       rules/setup.py, rules/mercenaries.py (the stacks), options.py
§3       rules/course.py (the course of a turn), phases.py (who is asked for what)
§4       rules/placement.py; who may enter where: rules/entry.py
§5       rules/manoeuvres.py (§5.1), rules/own_turn.py (§5.3), rules/opening.py (ranks)
§6       box/goods.py (what goods are worth), rules/prices.py, rules/paying.py
§7       rules/declaring.py, rules/visit_steps.py (carrying out), rules/visiting.py (its decisions); §7.6 rules/spying.py
§8       rules/declaring.py, rules/audience.py (the turn order)
§9       rules/battle.py, rules/trade.py
§10      rules/activation.py (activated offices), rules/acquiring.py (effects on acquiring)
§11      rules/upkeep.py
§12      rules/scoring.py
§13      view.py with view_parts.py, knowledge.py (what a seat cannot know); legal.py (every legal answer), agents/policy.py (the answers of an absent player), agents/evaluation.py with agents/prospects.py (how good a match looks to a seat), rules/turn.py (who may answer), deciding.py
§14      RULINGS.md; leaving: rules/leaving.py
=======  =============================================================================

Beside the chapters: state.py (the complete state), actions.py, events.py with owner_events.py and event_parts.py,
evolve.py with its three parts (applies events to the state) and changes.py, templates.py (sets too large to list), errors.py (codes of refusals), text/texts.py
(words), text/wording.py and text/drawing.py (the view for a terminal).

§14 Rulings. Where the rulebook is silent or unclear, or its editions differ, the project has decided, and every decision has a
number: R for rulings on the game, F for what a program needs as well. A changed ruling is a new version of the rules, and a
match keeps the version that it began with.
"""
