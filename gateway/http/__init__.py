"""Parts of HTTP requests and responses: bodies, queries, preconditions, idempotency, server-sent events."""
