"""Faults: servers, workers, databases, disks, clocks and connections fail while people play; no move may be lost."""
