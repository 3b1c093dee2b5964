"""A small catalogue to try things with: invented services, which are only described."""

from __future__ import annotations

from pathlib import Path
from typing import Final

SAMPLE: Final = Path(__file__).with_name("sample.jsonl")
"""A file of 97 APIs of 26 tools in 15 categories."""
