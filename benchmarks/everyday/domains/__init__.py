"""The tools of the everyday prompts, a domain a module."""
