"""Grading of lessons: one line for a student, and a real error where something is not right."""

from nbagents.testing.grading.checking import CheckError, check

__all__ = ["CheckError", "check"]
