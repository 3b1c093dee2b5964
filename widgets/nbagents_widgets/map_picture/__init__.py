"""A map as a still picture, drawn as the page draws it."""

from nbagents_widgets.map_picture.picture import map_picture, picture_uri

__all__ = ["map_picture", "picture_uri"]
