"""Stands in for a grammar of addresses that takes two seconds to load, and says that it is absent.

jsonschema, and so whoever reads a notebook, imports it if it can, for formats that no schema of a
notebook has. Tests start some hundred processes that read notebooks.
"""

raise ImportError(__doc__)
