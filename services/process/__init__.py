"""What every process of ours does alike, whatever it serves: logs, tasks that end, work in threads."""
