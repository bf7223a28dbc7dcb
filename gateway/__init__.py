"""The gateway: serves HTTP and calls gRPC services. It holds no state that must survive it and knows no game's rules.

`routes/` has a file per noun; `upstream/` reaches the services; `live/` serves streams; `problems/` defines every error response.
"""

import os

# gRPC's core writes its own lines to standard error, past Python's logging, and reads this level when it is first imported.
# Whatever matters also arrives in the exceptions it raises. Set the variable to "error" or "debug" to see the lines.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")

# gRPC's own threads for sockets hand every message over once more before it reaches Python. Without them, a message costs 15 to
# 25 % less of the processor (grpcio 1.85). Set the variable to the empty text to have them.
os.environ.setdefault("GRPC_EXPERIMENTS", "-event_engine_client,-event_engine_listener")
