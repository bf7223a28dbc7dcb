"""Pages for people: HTML that loads nothing else."""
