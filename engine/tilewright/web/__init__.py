"""The web table: a server of tables, and the page that people play on. See docs/web-protocol.md."""
