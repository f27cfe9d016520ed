"""`python -m kemu`: the same as `kemu`."""

from kemu.cli import main

main()
