"""The loop, its driver, and what it leaves behind: events, log, tree."""
