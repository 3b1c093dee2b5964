"""What finds and uses APIs of a large catalogue by more than one search: AnyTool."""
