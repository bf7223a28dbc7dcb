"""What all processes of this repository stand on: logs, traces, metrics, public keys, ending tasks, work in threads."""
