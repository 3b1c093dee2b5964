"""Where the person's functions run: the loop, the main thread, workers."""
