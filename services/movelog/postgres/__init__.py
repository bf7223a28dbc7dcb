"""The log in Postgres: one statement per append, batches, reading, wake-ups."""
