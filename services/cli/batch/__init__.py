"""What the commands that do much work have in common: where it is done, how it is continued, its progress and its tables."""
