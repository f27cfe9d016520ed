"""How long tests wait before they fail: much longer than anything takes on a machine that is busy with other things."""

from typing import Final

PATIENCE_SECONDS: Final = 240
