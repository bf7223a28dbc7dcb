"""What runs behind the gateway, beside it, and at a terminal."""

import os

# gRPC's core writes lines of its own to standard error, which no logging can take in, and asks how many when it is first
# imported. What matters of them comes with the exceptions it raises. Set it to "error" or "debug" to see them.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")

# gRPC's own threads for sockets hand every message over once more before it reaches Python. Without them, a message costs 15 to
# 25 % less of the processor (grpcio 1.85). Set the variable to the empty text to have them.
os.environ.setdefault("GRPC_EXPERIMENTS", "-event_engine_client,-event_engine_listener")
