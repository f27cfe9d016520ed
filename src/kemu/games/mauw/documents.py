"""Position documents: writing them, and reading those that strangers wrote, who may ask for the impossible."""

from kemu.core.document import Document, quote, read_list, read_number, read_object, read_text
from kemu.core.errors import ParseError
from kemu.games.mauw.cards import FACES, MAUI, NAMES, NOTHING, ORDER, Card, Counts, Face, Hand, listed
from kemu.games.mauw.notation import PLAYS, format_action, parse_action
from kemu.games.mauw.possible import check
from kemu.games.mauw.state import ENDS, HAND, LETTERS, PLAY, TURN, Column, State, Step, Zone
from kemu.games.mauw.turns import MOST_ATTACKS, MOST_TURNS, start
from kemu.games.mauw.zones import MOST_MAUW, place_name

FIELDS = ("hands", "zones", "pile", "discards", "turn", "turns")


def encode(state: State) -> Document:
    """The position document of a state; only a state inside a turn has a step."""
    document: Document = {
        "hands": [listed(hand) for hand in state.hands],
        "zones": [write_zone(zone) for zone in state.zones],
        "pile": write_counts(state.pile),
        "discards": write_counts(state.discards),
        "turn": state.turn,
        "turns": state.turns,
    }
    if state.step.name not in ("turn", *ENDS):
        document["step"] = write_step(state.step)
    return document


def write_zone(zone: Zone) -> list[Document]:
    """The columns of a zone."""
    return [{"mauw": mauw, "top": _open(top)} for mauw, top in zone]


def _open(face: Face) -> str | None:
    return None if face == NOTHING else NAMES[face]


def write_counts(counts: Counts) -> dict[str, int]:
    """How many there are of each card, without those that are missing."""
    return {NAMES[each]: counts[each] for each in ORDER if counts[each]}


def write_step(step: Step) -> Document:
    """Where inside a turn the game stands; nothing of it is a secret."""
    document: Document = {"name": step.name}
    if step.name == "put":
        document["top"] = _open(step.face)
    elif step.face != NOTHING:
        document["play"] = format_action(PLAYS[step.owner][step.column][step.face])
        document["attacks"] = step.attacks
    if step.answer != NOTHING:
        document["answer"] = NAMES[step.answer]
    return document


def decode(value: object, players: int) -> State:
    """The state of a position document, or ParseError."""
    document = read_object(value, "A position", FIELDS, ("step",))
    state = State(
        hands=tuple(
            _hand(hand, number) for number, hand in enumerate(read_list(document["hands"], "'hands'", players), 1)
        ),
        zones=tuple(_zone(zone, seat) for seat, zone in enumerate(read_list(document["zones"], "'zones'", players))),
        pile=_counts(document["pile"], "'pile'"),
        discards=_counts(document["discards"], "'discards'"),
        turn=read_number(document["turn"], "'turn'", 0, players - 1),
        turns=read_number(document["turns"], "'turns'", 0, MOST_TURNS),
        step=_step(document["step"], players) if "step" in document else TURN,
    )
    check(state)
    return state._replace(step=start(state)) if state.step == TURN else state


def _hand(value: object, number: int) -> Hand:
    name = f"The hand of player {number}"
    texts = read_list(value, name)
    if len(texts) > HAND:
        raise ParseError(f"{name} has at most {HAND} cards, not {len(texts)}.")
    return tuple(sorted(_card(text, f"A card in the hand of player {number}") for text in texts))


def _card(value: object, name: str) -> Card:
    text = read_text(value, name)
    if text not in NAMES[: MAUI + 1]:
        raise ParseError(f"{name} must be one of {', '.join(NAMES[each] for each in ORDER)}, not {quote(text)}.")
    return FACES[text]


def _face(value: object, name: str) -> Face:
    if value is None:
        return NOTHING
    text = read_text(value, name)
    if text not in FACES or FACES[text] == MAUI:
        raise ParseError(f"{name} must be null, 1 to 8, s, or a joker such as m=7 or m=s, not {quote(text)}.")
    return FACES[text]


def _zone(value: object, seat: int) -> Zone:
    columns = read_list(value, f"The zone of player {seat + 1}", len(LETTERS))
    return tuple(_column(column, place_name(seat, number)) for number, column in enumerate(columns))


def _column(value: object, place: str) -> Column:
    column = read_object(value, f"Column {place}", ("mauw", "top"))
    return Column(
        read_number(column["mauw"], f"'mauw' of column {place}", 0, MOST_MAUW),
        _face(column["top"], f"'top' of column {place}"),
    )


def _counts(value: object, name: str) -> Counts:
    numbers = read_object(value, name, (), [NAMES[each] for each in ORDER])
    return tuple(
        read_number(numbers.get(NAMES[each], 0), f"The number of {NAMES[each]} in {name}", 0)
        for each in range(MAUI + 1)
    )


def _step(value: object, players: int) -> Step:
    step = read_object(value, "'step'", ("name",), ("play", "attacks", "answer", "top"))
    name = read_text(step["name"], "'name' of 'step'")
    wanted = {
        **dict.fromkeys(("deal", "take", "refill"), ("name",)),
        **dict.fromkeys(("draw", "defend", "press"), ("name", "play", "attacks")),
        "parry": ("name", "play", "attacks", "answer"),
        "put": ("name", "top"),
    }
    if name not in wanted:
        raise ParseError(f"'name' of 'step' must be one of {', '.join(wanted)}, not {quote(name)}.")
    read_object(value, f"The step '{name}'", wanted[name])
    if name == "put":
        return Step(name, _face(step["top"], "'top' of 'step'"))
    if "play" not in step:
        return Step(name)
    play = parse_action(read_text(step["play"], "'play' of 'step'"), players)
    if play.sign != PLAY:
        raise ParseError(f"'play' of 'step' must be a card on a column, such as 7>1B, not {quote(step['play'])}.")
    attacks = read_number(step["attacks"], "'attacks' of 'step'", 0, MOST_ATTACKS)
    answer = _card(step["answer"], "'answer' of 'step'") if "answer" in step else NOTHING
    return Step(name, play.face, play.owner, play.column, attacks, answer)
