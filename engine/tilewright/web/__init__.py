"""The web table: a server of tables, and the page to play on. See docs/web-protocol.md."""
