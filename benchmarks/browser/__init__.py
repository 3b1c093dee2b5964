"""Speed as a person feels it, in JupyterLab and a real browser: `python -m benchmarks.browser`."""
