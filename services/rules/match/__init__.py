"""One match: its folded state, access to it, the path of a move, clocks, its start, forks."""
