"""What in a tool may mislead a model: read from its name, its schema and its docstring."""

from nbagents.tools.lint.finding import Findings, LintFinding
from nbagents.tools.lint.linted import Linted
from nbagents.tools.lint.linting import hint_of, lint_one, lint_together

__all__ = ["Findings", "LintFinding", "Linted", "hint_of", "lint_one", "lint_together"]
