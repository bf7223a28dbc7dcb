"""The games for programs that learn: environments of PettingZoo and games of OpenSpiel. Needs the extra `research`.

`setup.py` and `position.py` turn a match into numbers; like `explicit_chance.py` they need no library. `aec.py` and `parallel.py` are for
PettingZoo, `openspiel.py` is for OpenSpiel. Nothing else in this project imports this package.
"""
