"""The language server: `authoring/editor` and the checks, for any editor that speaks the Language Server Protocol."""
