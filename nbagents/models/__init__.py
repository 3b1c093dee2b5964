"""What decides: the `Model` protocol and the models that speak it."""
