"""What all processes of this repository share: logs, traces, metrics, ending tasks, work in threads."""
