"""Making a move: what a request asks for, what is answered, and the fast path that serves most moves.

`routes/moves.py` is the operation as any other, with all that it can do. The fast path serves the plain form of the same
request, with the same functions, without what the web framework does for each request.
"""
