"""What Alembic runs: the revisions in order, in one transaction, on the connection that `migrating` hands over."""

from __future__ import annotations

from alembic import context

context.configure(connection=context.config.attributes["connection"], transactional_ddl=True)
with context.begin_transaction():
    context.run_migrations()
