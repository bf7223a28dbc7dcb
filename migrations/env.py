"""What Alembic runs: the steps, over the connection that `migrations.migrate` opened, in its transaction."""

from __future__ import annotations

from alembic import context

context.configure(connection=context.config.attributes["connection"], target_metadata=None)
context.run_migrations()
