"""`python -m nbagents.cli` is the command `nbagents`."""

import sys

from nbagents.cli.command import main

sys.exit(main())
