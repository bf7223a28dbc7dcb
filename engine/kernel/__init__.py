"""The parts that all games share: the type of a game, chance, errors, codec, recorder, outcome.

It imports no game and nothing from `engine.match`.
"""
