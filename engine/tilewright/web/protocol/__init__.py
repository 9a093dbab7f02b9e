"""What goes over the wire: messages, refusals, rates, and what is to be played."""
