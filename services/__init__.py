"""What runs behind the gateway, beside it, and at a terminal."""

import os

# gRPC's core writes lines of its own to standard error, which no logging can take in, and asks how many when it is first
# imported. What matters of them comes with the exceptions it raises. Set it to "error" or "debug" to see them.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")
