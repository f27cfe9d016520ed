"""Alembic's environment: it uses the connection that `schema.migrate` passes to it."""

from alembic import context

from kemu.storage.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
