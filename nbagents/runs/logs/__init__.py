"""Where events are kept, and what is read back from them."""
