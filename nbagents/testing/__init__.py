"""Tests of agents: expectations on what a run did, models that tests use, grading of lessons."""
