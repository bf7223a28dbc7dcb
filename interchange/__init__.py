"""JSON from outside, as the gateway and the services both read it. It imports nothing of this repository."""
