"""How a server is set up: by a TOML file, the environment (KEMU_DATABASE and so on), or the command line."""

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from platformdirs import user_data_path

from kemu.core.document import quote
from kemu.core.errors import OptionError


@dataclass(frozen=True)
class Settings:
    """Every setting with its default; docs/operate.md explains them."""

    database: str = ""  # empty: SQLite in the user's data folder
    # Pages of these origins may use the API besides our own, such as "https://play.example.org".
    origins: str = ""
    secure_cookies: bool = False  # True behind a proxy that speaks HTTPS
    message_bytes: int = 16 * 1024
    body_bytes: int = 1024 * 1024
    messages_per_second: int = 50
    requests_per_second: int = 50  # of one address
    matches_per_guest: int = 20  # open and running
    spectators: int = 500  # of one match
    sockets_per_player: int = 50
    handover: str = ""  # the folder where the workers of this host meet
    bot_workers: int = 1
    bot_seconds: int = 30
    bots: str = "kemu.bots"  # the module that names and makes them
    log_level: str = "info"

    @property
    def database_url(self) -> str:
        """Where the matches are kept."""
        return self.database or f"sqlite:///{user_data_path('kemu') / 'kemu.sqlite'}"

    @property
    def allowed_origins(self) -> frozenset[str]:
        """The origins besides our own."""
        return frozenset(self.origins.split())


def read_settings(path: Path | None = None, environment: Mapping[str, str] = os.environ) -> Settings:
    """The defaults, changed by a file, changed by the environment."""
    settings = Settings()
    if path is None and "KEMU_CONFIG" in environment:
        path = Path(environment["KEMU_CONFIG"])
    if path is not None:
        for name, value in _file(path).items():
            settings = _set(settings, name, value)
    for setting in fields(Settings):
        text = environment.get(f"KEMU_{setting.name.upper()}")
        if text is not None:
            settings = _set(settings, setting.name, _read(setting.type, setting.name, text))
    return settings


def environment(settings: Settings) -> dict[str, str]:
    """The settings as environment variables, for worker processes."""
    return {f"KEMU_{setting.name.upper()}": str(getattr(settings, setting.name)) for setting in fields(Settings)}


def _file(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise OptionError(f"{path}: {error.strerror}.") from None
    except ValueError as error:  # neither TOML nor, perhaps, text
        raise OptionError(f"{path} is not a settings file in TOML: {error}.") from None


def _read(kind: Any, name: str, text: str) -> object:
    if kind is bool:
        if text.lower() not in ("true", "false", "1", "0"):
            raise OptionError(f"The setting {name} is true or false, not {quote(text)}.")
        return text.lower() in ("true", "1")
    if kind is int:
        if not text.isdecimal():
            raise OptionError(f"The setting {name} is a whole number, not {quote(text)}.")
        return int(text)
    return text


def _set(settings: Settings, name: str, value: object) -> Settings:
    kinds = {setting.name: setting.type for setting in fields(Settings)}
    if name not in kinds:
        raise OptionError(f"There is no setting {quote(name)}; there are {', '.join(kinds)}.")
    if type(value) is not kinds[name]:
        raise OptionError(f"The setting {name} cannot be {quote(value)}.")
    changed: dict[str, Any] = {name: value}
    return replace(settings, **changed)
