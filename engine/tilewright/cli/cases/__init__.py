"""Files of cases, scored from the command line: lines of JSON, and columns."""
