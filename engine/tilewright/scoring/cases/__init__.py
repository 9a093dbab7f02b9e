"""Cases in parts: what is known of their rulesets, their hands, and the tables around them."""
