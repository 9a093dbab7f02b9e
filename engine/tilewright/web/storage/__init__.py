"""The store: a database URL in; people, tables, logs, leases, documents and bans out.

Knows no game, no socket and no request. Everything that it returns is frozen; every failure is a StoreError.
"""
