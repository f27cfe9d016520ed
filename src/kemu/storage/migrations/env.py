"""How Alembic reaches the database: over the connection that `migrate` hands it."""

from alembic import context

from kemu.storage.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
