"""The jobs of the workshop: texts in, plain data out, with limits, in a process for untrusted texts."""
