"""What every gRPC process of ours does alike.

==================  ===================================================================
file                what it answers
==================  ===================================================================
callers.py          who calls
answering.py        what a call is answered when it fails, and how long it took
refusals.py         every way to say no, as google.rpc.Status
server.py           health, reflection, drain around any servicers
process.py          the life of a process
settings.py         what the environment says to each of them
cursors.py          page tokens of listings
match_messages.py   a match without its table, as a message
drain.py            long streams end by themselves when the process is told to stop
==================  ===================================================================
"""
