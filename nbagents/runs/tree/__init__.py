"""What events come to: the tree of a run and those inside it, and its words."""
