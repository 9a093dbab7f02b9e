"""Administration: what those who run a server see and do: metrics, logs, bans, closing tables, draining."""
