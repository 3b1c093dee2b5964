"""The log on disk: one SQLite file for all sessions of a person."""

from nbagents.runs.logs.sqlite.log import SqliteLog

__all__ = ["SqliteLog"]
