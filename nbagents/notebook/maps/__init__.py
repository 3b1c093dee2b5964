"""The maps of a kernel: what a model can do with one, and what the user did there."""

from nbagents.notebook.maps.maps import map_tools, take_user_move
from nbagents.notebook.maps.positions import with_user_moves

__all__ = ["map_tools", "take_user_move", "with_user_moves"]
