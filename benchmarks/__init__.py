"""What nbagents costs, as ratios against floors measured in the same run: `make benchmark`."""
