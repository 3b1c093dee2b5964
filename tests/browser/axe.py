"""axe-core, and how it is asked."""

from __future__ import annotations

from pathlib import Path

__all__ = ["AXE", "CHECK"]

AXE = Path(__file__).parents[2] / "js" / "node_modules" / "axe-core" / "axe.min.js"
CHECK = """async (root, rules) => {
  const asked = { iframes: false, resultTypes: ["violations"] };
  if (rules?.length) asked.runOnly = rules;
  const { violations } = await axe.run(root, asked);
  const said = ({ html, any }) => `${html.slice(0, 160)} ${any[0]?.message.slice(0, 200)}`;
  return violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 4).map(said).join("; ")}`);
}"""
"""What axe-core finds in an element, by all of its rules or by those named; HTML of tools in its
frames is nobody's of ours."""
