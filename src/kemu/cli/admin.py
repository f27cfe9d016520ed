"""For operators: accounts, reports and leftovers of guests, on the database of a server that may be running."""

from datetime import UTC, datetime
from typing import Annotated

import click

from kemu.cli.commands import Argument, Option
from kemu.cli.options import Database

Name = Annotated[str, Argument(help="Name of an account, whatever the case.")]
Sure = Annotated[bool, Option("--yes", help="Do it without asking.")]


def find(beginning: Annotated[str, Argument(help="How the names begin.")], database: Database = None) -> None:
    """List the accounts whose names begin like this."""
    from kemu.server import operator

    for found in operator.on_store(database, lambda store: operator.find(store, beginning)):
        click.echo(f"{found.player}  {found.name}")


def show(name: Name, database: Database = None) -> None:
    """Show an account: since when, its sessions, its ratings, and whether it is closed."""
    from kemu.server import operator

    found = operator.on_store(database, lambda store: operator.look(store, name))
    since = _day(found.since) if found.since else "unknown"
    click.echo(f"{found.name} ({found.id}), since {since}, {found.sessions} sessions")
    for rating in found.ratings:
        click.echo(
            f"{rating.game}, {rating.pace}: {rating.rating:.0f} ± {rating.deviation:.0f}, {rating.matches} matches"
        )
    if found.ban is not None:
        click.echo(f"closed since {_day(found.ban.at)}: {found.ban.reason or 'no reason given'}")


def rename(name: Name, new: Annotated[str, Argument(help="The new name.")], database: Database = None) -> None:
    """Give an account another name; matches that were played keep the old one."""
    from kemu.server import operator

    shown = operator.on_store(database, lambda store: operator.rename(store, name, new))
    click.echo(f"{name} is now {shown}.")


def ban(
    name: Name,
    reason: Annotated[str, Option(help="A sentence that the player is shown.")] = "",
    database: Database = None,
) -> None:
    """Close an account: it is logged out everywhere and cannot log in."""
    from kemu.server import operator

    operator.on_store(database, lambda store: operator.ban(store, name, reason))
    click.echo(f"{name} cannot log in any more.")


def unban(name: Name, database: Database = None) -> None:
    """Let a closed account log in again."""
    from kemu.server import operator

    was = operator.on_store(database, lambda store: operator.unban(store, name))
    click.echo(f"{name} can log in again." if was else f"{name} was not closed.")


def reset_password(name: Name, database: Database = None) -> None:
    """Give an account a new password, which is printed, and log it out everywhere."""
    from kemu.server import operator

    password = operator.on_store(database, lambda store: operator.reset_password(store, name))
    click.echo(f"The password of {name} is now {password}")


def reset_ratings(name: Name, database: Database = None, yes: Sure = False) -> None:
    """Have an account begin anew in all games."""
    from kemu.server import operator

    if not yes:
        click.confirm(f"Delete all ratings of {name}?", abort=True)
    operator.on_store(database, lambda store: operator.reset_ratings(store, name))
    click.echo(f"{name} has no ratings any more.")


def delete(name: Name, database: Database = None, yes: Sure = False) -> None:
    """Delete an account; the running server takes its name from the matches of others."""
    from kemu.server import operator

    if not yes:
        click.confirm(f"Delete the account {name} for good?", abort=True)
    operator.on_store(database, lambda store: operator.remove(store, name))
    click.echo(f"{name} is deleted.")


def reports(database: Database = None) -> None:
    """List the reported players, those with the most reports first."""
    from kemu.server import operator

    for found in operator.on_store(database, operator.reported):
        reasons = ", ".join(f"{count} {reason}" for reason, count in found.reasons.most_common())
        match = f", match {found.match}" if found.match else ""
        click.echo(f"{found.name} ({found.id}): {reasons}; last {_day(found.at)}{match}")


def settle(name: Name, database: Database = None) -> None:
    """Delete the reports about an account, once they are dealt with."""
    from kemu.server import operator

    count = operator.on_store(database, lambda store: operator.settle(store, name))
    click.echo(f"{count} reports about {name} deleted.")


def pairs(database: Database = None) -> None:
    """List the pairs with many rated matches between them, how they went, and how many came from one address."""
    from kemu.server import operator

    for (one, other), result in operator.on_store(database, operator.pairs):
        score = f"{result.won}–{result.drawn}–{result.lost}"
        click.echo(f"{one} – {other}, {result.game}: {result.rated} rated, {score}, {result.together} from one address")


def prune(
    days: Annotated[int, Option(min=1, help="Guests who were not here for so many days.")] = 365,
    delete: Annotated[bool, Option("--delete", help="Delete them; without it they are only counted.")] = False,
    database: Database = None,
) -> None:
    """Count the guests who were not here for long, or delete them with what they left."""
    from kemu.server import operator

    count = operator.on_store(database, lambda store: operator.prune(store, days, delete))
    done = "deleted" if delete else "would be deleted; add --delete to do it"
    click.echo(f"{count} guests who were not here for {days} days {done}.")


def _day(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).date().isoformat()
