"""Access control: credentials, rate limits, and bounds on open streams and heavy reads."""
