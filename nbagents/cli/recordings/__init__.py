"""`nbagents recording`: lists, checks, prunes, refreshes, embeds and extracts recordings."""

from nbagents.cli.recordings.command import add_recording

__all__ = ["add_recording"]
