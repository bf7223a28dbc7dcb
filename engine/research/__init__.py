"""The games for programs that learn: environments of PettingZoo and games of OpenSpiel. Needs the extra `research`.

`setup.py` and `position.py` put a match into numbers and need no library, nor does `explicit_chance.py`; `aec.py` and `parallel.py` are PettingZoo's,
`openspiel.py` is OpenSpiel's. Nothing else in this project imports this package.
"""
