"""A user test of the run view: ten tasks, as a newcomer does them, in clicks and seconds."""
