"""The widgets of nbagents: usable with or without its runtime."""
