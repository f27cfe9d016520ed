"""Finds a Chromium for browser tests, benchmarks and pictures; run as a script, installs one if there is none."""

import os
import shutil
import subprocess
import sys
from typing import Final

NAMES: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
DISABLED: Final = (
    # Each window would draw a list of proposals under an address bar that nobody sees, in two processes of its own.
    *("WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup"),
    # Only the last such argument counts, so that what Playwright disables is named again.
    *("AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades"),
    *(
        "HttpsFirstBalancedModeAutoEnable",
        "LensOverlay",
        "MediaRouter",
        "PaintHolding",
        "ThirdPartyStoragePartitioning",
    ),
    *("AvoidCorsURLLoaderRestartOnRedirect", "OptimizationHints", "NetworkTimeServiceQuerying", "AimEnabled"),
    "PreconnectToSearch",
)
"""Features of Chromium that cost time and show in no page."""

ARGUMENTS: Final = [
    f"--disable-features={','.join(DISABLED)}",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

KNOWN: Final = """
  const kept = JSON.parse(localStorage.getItem('kemu') ?? '{}');
  kept.shown ??= ['moeraki-kemu', 'mu-torere', 'mauw'];
  localStorage.setItem('kemu', JSON.stringify(kept));
"""
"""A script for pages of somebody who has been shown how the games are won."""


def find() -> str | None:
    """The system's Chromium, None for the one Playwright has downloaded."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


def install() -> None:
    """Debian's package for root, else Playwright's own download."""
    if find() is not None:
        return
    if shutil.which("apt-get") and hasattr(os, "geteuid") and os.geteuid() == 0:
        subprocess.run(["apt-get", "update", "-qq"], check=True)
        subprocess.run(["apt-get", "install", "-y", "-qq", "chromium"], check=True)
    else:
        subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=True)


if __name__ == "__main__":
    install()
