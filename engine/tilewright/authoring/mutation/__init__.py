"""Mutation: small changes to a ruleset that no example, case or play of it notices."""
