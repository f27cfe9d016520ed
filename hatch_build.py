"""Puts the built browser client into the wheel and the editable install; Node for it comes from pip."""

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ClientBuild(BuildHookInterface[Any]):
    """Builds the client if it is missing or old."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        sys.path.insert(0, str(Path(self.root) / "web" / "scripts"))
        import client

        client.build()
        build_data["artifacts"].append("src/kemu/web/**")
