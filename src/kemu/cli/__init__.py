"""The command `kemu`: a module for each group of commands, and each command imports what it needs when it runs."""

import gc
import sys


def main() -> None:
    """Run the command of the command line; an error of the user becomes one sentence and exit code 2."""
    # Nothing that these imports make is garbage before the process ends. Looking for garbage among it, during the
    # imports and once more at exit, takes a sixth of the time of `kemu --help`.
    gc.disable()
    from kemu.cli.app import app
    from kemu.core.errors import KemuError
    from kemu.core.parts import missing_part

    gc.freeze()
    gc.enable()
    try:
        app(prog_name="kemu")
    except KemuError as error:
        _fail(error)
    except ModuleNotFoundError as error:
        if (missing := missing_part(error)) is None:
            raise
        _fail(missing)
    except OSError as error:
        _fail(KemuError(f"{error.filename}: {error.strerror}." if error.filename else f"{error}."))


def _fail(error: Exception) -> None:
    sys.stderr.write(f"kemu: {error}\n")
    sys.exit(2)
