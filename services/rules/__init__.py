"""The rules server: one process serves one game, or several on a small machine.

==================  ===================================================================
file                what it answers
==================  ===================================================================
__main__.py         the process: settings, signals, drain
server.py           which services listen where
settings.py         what the environment says
match_servicer.py   MatchService: requests in, responses out
rules_servicer.py   RulesService: the pure functions over the wire
caller_luck.py      luck that the caller has drawn
play_stream.py      many moves over one stream
answering.py        what a call is answered when it fails, and how long it took
drain.py            long streams end by themselves when the process is told to stop
callers.py          who calls, and what that caller may do
tables.py           folded matches, cached and brought up to date
acting.py           load, judge, append, answer: exactly once
seating.py          create, join, start
looking.py          views, legal actions, moves
page_tokens.py      where the next page begins
watching.py         following a match
exporting.py        a match as one document, and its verification
messages.py         rows and results as protobuf messages
payloads.py         a game's data as JSON or as typed messages
typed_codec.py      structs to messages and back, driven by the descriptors
refusals.py         every way to say no, as google.rpc.Status
==================  ===================================================================
"""
