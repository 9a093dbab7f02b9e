"""The entry point of alembic: migrations over the connection that the program passes."""

from alembic import context

from tilewright.web.storage.models import Base

context.configure(
    connection=context.config.attributes["connection"],
    version_table=context.config.attributes["version_table"],
    target_metadata=Base.metadata,
    transactional_ddl=True,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
