"""HTML as nodes of htpy, which escapes every text by itself."""
