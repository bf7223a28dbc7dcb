"""The gateway: HTTP in, gRPC out. It holds no state that matters and knows no rule of any game.

==================  ===================================================================
file                what it does
==================  ===================================================================
__main__.py         the process: settings, uvicorn, signals, drain
app.py              the FastAPI application and what lives as long as the process
routes/<noun>.py    one handler per operation, with its documentation
documented.py       routes that are thin at run time and complete in the document
schemas/            what travels over REST, as structs
openapi.py          the OpenAPI document; game_schemas.py and schema_examples.py help
problems.py         the one table: reason, gRPC code, HTTP status, meaning
problem_documents   how an error looks; refusals.py makes one of a gRPC status
auth.py             API keys pass through, seat tokens are checked here
bodies, queries,    what comes from outside, bounded and validated;
headers, etags,     every refusal names the culprit
idempotency
drain.py            what happens at SIGTERM
clients.py          channels to the rules servers
play_stream.py      every move to a server over one stream
targets.py          addresses of services; sticky.py several streams to one of them
live/               event streams, long polls, feeds, tickets; see there
directory.py        which game a match is of
catalogue.py        the games, as the rules servers describe them
messages.py         protobuf messages as answers; lobby_messages.py those about seats
open_files.py       room for as many connections as there may be
observability.py    ids, log lines, metrics, and the last word on faults
http_protocol.py    bounds on connections, heads and pipelines; patience.py how long
                    they may take, corked_transport.py one write per answer
==================  ===================================================================
"""
