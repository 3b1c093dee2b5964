"""Everyday prompts with gold calls: twelve small domains of eight tools, half of them with effects.

`domains/` holds the tools, written as a user writes functions; `EFFECTS` at the end of each says
which change something, for the scorer alone. `blind.jsonl` was written by somebody who had not read
the model's code, `own.jsonl` by its author; the prompts and the gold calls of both stood before the
first run. `later.jsonl` is by a third writer, and was first played when the model was as it is but
for small things that its even numbers showed.
A line is `{"id", "domain", "prompt", "calls": [{"name", "arguments"}]}`, each argument
with the list of all values that are right; one that is not named is left out or has its default.
No calls: none is right.
"""
