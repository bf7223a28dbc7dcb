"""The rules server: one process serves one game, or several on a small machine.

==================  ===================================================================
file                what it answers
==================  ===================================================================
__main__.py         the process: settings, signals, drain
server.py           which services listen where
settings.py         what the environment says
match_servicer.py   MatchService: requests in, responses out
lobby_servicer.py   its half about seats
bot_servicer.py     its part about bots
door.py             letting callers in to matches
rules_servicer.py   RulesService: the pure functions over the wire
caller_luck.py      luck that the caller has drawn
play_stream.py      many moves over one stream
permissions.py      what a caller may do with a match
tables.py           folded matches, cached and brought up to date
acting.py           load, judge, append, answer: exactly once
seating.py          creating a match, and what its seats are for
joining.py          taking a seat and giving it back, quick-join
starting.py         when a match begins, and with whom
rematch.py          playing again
bot_seats.py        handing a seat to a bot, and back
determinizing.py    states that an audience cannot tell from the true one
minting.py          match tokens as they are handed out
looking.py          views, legal actions, moves
page_tokens.py      where the next page begins
watching.py         following a match
exporting.py        a match as one document, and its verification
messages.py         rows and results as protobuf messages
payloads.py         a game's data as JSON or as typed messages
typed_codec.py      structs to messages and back, driven by the descriptors
==================  ===================================================================
"""
