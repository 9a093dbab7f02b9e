"""Expressions: from text to a typed tree. The grammar, the names in scope, types, conditions and templates."""
