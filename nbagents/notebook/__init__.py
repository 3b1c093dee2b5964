"""What a person meets in Jupyter: magics, displays, clicks. Loaded by `%load_ext nbagents` only."""
