"""How a server is set up: by a TOML file, the environment (KEMU_DATABASE and so on), or the command line."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final, TypeAlias

import msgspec
from msgspec import Meta, Struct
from platformdirs import user_data_path

from kemu.core.document import quote
from kemu.core.errors import OptionError

Count: TypeAlias = Annotated[int, Meta(ge=0)]


class Settings(Struct, frozen=True):
    """Every setting with its default; docs/operate.md explains them."""

    database: str = ""  # empty: SQLite in the user's data folder
    # Pages of these origins may use the API besides our own, such as "https://play.example.org".
    origins: str = ""
    hosts: str = ""  # names of this server besides those of this computer, such as "play.example.org"
    trusted_proxies: str = ""  # addresses and networks whose forwarded headers are believed
    secure_cookies: bool = False  # True behind a proxy that speaks HTTPS
    message_bytes: Count = 16 * 1024
    body_bytes: Count = 1024 * 1024
    messages_per_second: Count = 50  # of one socket
    address_messages_per_second: Count = 500  # of all sockets of one address
    requests_per_second: Count = 50  # of one address
    visitors_per_minute: Count = 60  # new ones, who become guests, of one address
    matches_per_minute: Count = 60  # of one address
    sign_ins_per_minute: Count = 30  # with a wrong password, and new accounts, of one address
    sockets_per_address: Count = 200
    connections_per_address: Count = 300  # that are no sockets
    connections: Count = 0  # of one process, sockets too; 0: as many as the system allows
    request_seconds: Count = 10  # in which a request must have arrived
    matches_per_guest: Count = 20  # open and running
    spectators: Count = 500  # of one match
    guest_days: Count = 365  # after which a guest who did not come back is removed; 0: never
    sockets_per_player: Count = 50
    listens: str = ""  # host and port, such as "0.0.0.0:8000"; set by `kemu` and `kemu serve`
    handover: str = ""  # the folder with the Unix sockets of this host's workers
    bot_workers: Count = 0  # 0: one for each core but one
    bot_seconds: Count = 30
    bot_matches_per_player: Count = 2  # running ones without a person
    bot_matches: Count = 50
    studies_per_player: Count = 200
    studies_per_minute: Count = 20  # of one address
    edits_per_second: Count = 20  # of studies, of one address
    analysis_workers: Count = 0  # 0: one for each core but one
    analyses_per_player: Count = 3  # at once, reviews too
    analyses_per_address: Count = 30
    compile_engines: bool = True  # before the first bot acts
    bots: str = "kemu.bots"  # the module that names and makes them
    contact: str = ""  # "mailto:…" or "https://…": whom push services write to if something is wrong
    webhooks: str = ""  # addresses to which open challenges are posted
    private_services: bool = False  # push services may be in the own network and without TLS, for tests
    metrics: bool = False  # serve /metrics; anybody who reaches the port can read it
    log_level: str = "info"

    @property
    def database_url(self) -> str:
        """Where the matches are kept."""
        return self.database or f"sqlite:///{user_data_path('kemu') / 'kemu.sqlite'}"


_TYPES: Final[dict[str, Any]] = {field.name: field.type for field in msgspec.structs.fields(Settings)}
_FORMER: Final = {
    "study_workers": "analysis_workers",
    "study_streams_per_player": "analyses_per_player",
    "study_streams_per_address": "analyses_per_address",
}
"""Names by which earlier versions knew settings; they are still read."""


def read_settings(path: Path | None = None, environment: Mapping[str, str] = os.environ) -> Settings:
    """Return the defaults, changed by a file and the environment; OptionError names the first wrong setting."""
    if path is None and "KEMU_CONFIG" in environment:
        path = Path(environment["KEMU_CONFIG"])
    values = {} if path is None else dict(_from_file(name, value) for name, value in _read(path).items())
    for variable, name in [*_FORMER.items(), *zip(_TYPES, _TYPES, strict=True)]:
        text = environment.get(_variable(variable))
        if text is not None:
            values[name] = _from_text(name, text)
    return Settings(**values)


def environment(settings: Settings) -> dict[str, str]:
    """Return the settings as environment variables, for worker processes."""
    return {_variable(name): str(getattr(settings, name)) for name in _TYPES}


def _variable(name: str) -> str:
    return f"KEMU_{name.upper()}"


def _read(path: Path) -> dict[str, Any]:
    try:
        return msgspec.toml.decode(path.read_bytes(), type=dict[str, Any])
    except OSError as error:
        raise OptionError(f"{path}: {error.strerror}.") from None
    except ValueError as error:  # neither TOML nor, perhaps, text
        raise OptionError(f"{path} is not a settings file in TOML: {error}.") from None


def _from_file(written: str, value: object) -> tuple[str, Any]:
    name = _FORMER.get(written, written)
    if name not in _TYPES:
        raise OptionError(f"There is no setting {quote(name)}; there are {', '.join(_TYPES)}.")
    try:
        return name, msgspec.convert(value, _TYPES[name])
    except msgspec.ValidationError:
        raise OptionError(f"The setting {name} cannot be {quote(value)}.") from None


def _from_text(name: str, text: str) -> Any:
    try:
        return msgspec.convert(text, _TYPES[name], strict=False)
    except msgspec.ValidationError:
        kind = "true or false" if _TYPES[name] is bool else "a whole number"
        raise OptionError(f"The setting {name} is {kind}, not {quote(text)}.") from None
