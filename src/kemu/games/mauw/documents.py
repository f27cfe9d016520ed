"""Position documents: writing them, reading them, and refusing the positions that no game leads to.

The cards that lie as Mauw are not in a document; they may be any of those that it does not name.
"""

from itertools import count
from typing import Final, NotRequired, TypedDict, cast

from kemu.core.document import Document, quote, read_list, read_number, read_object, read_text
from kemu.core.errors import ParseError
from kemu.games.mauw import state as cards
from kemu.games.mauw.actions import PLAYS, PlayCard, format_action, parse_action
from kemu.games.mauw.state import Card, CardName, Column, Counts, Face, FaceName, Hand, State, Step, StepName, Zone
from kemu.games.mauw.turns import DEALT, MOST_ATTACKS, MOST_TURNS, drawer, start_step

FIELDS: Final = ("hands", "zones", "pile", "discards", "turn", "turns")

STEP_FIELDS: Final[dict[StepName, tuple[str, ...]]] = {
    "deal": (),
    "take": (),
    "refill": (),
    "draw": ("play", "attacks"),
    "defend": ("play", "attacks"),
    "press": ("play", "attacks"),
    "parry": ("play", "attacks", "answer"),
    "put": ("top",),
}
"""The fields of each step besides its name."""


class ColumnDocument(TypedDict):
    """A column in documents and views: the number of its Mauw and the face on top, null if there is none."""

    mauw: int
    top: FaceName | None


class StepDocument(TypedDict):
    """Where inside a turn a game stands; STEP_FIELDS says which fields a step has."""

    name: StepName
    play: NotRequired[str]  # the text of the play, such as 7>1B
    attacks: NotRequired[int]
    answer: NotRequired[CardName]
    top: NotRequired[FaceName | None]


# Writing


def encode(state: State) -> Document:
    """The position document of a state; only a state inside a turn has a step."""
    document: Document = {
        "hands": [cards.write_cards(hand) for hand in state.hands],
        "zones": [write_zone(zone) for zone in state.zones],
        "pile": cards.write_counts(state.pile),
        "discards": cards.write_counts(state.discards),
        "turn": state.turn,
        "turns": state.turns,
    }
    if step := write_step(state.step):
        document["step"] = step
    return document


def write_zone(zone: Zone) -> list[ColumnDocument]:
    """The columns of a zone."""
    return [{"mauw": mauw, "top": _write_face(top)} for mauw, top in zone]


def write_step(step: Step) -> StepDocument | None:
    """Where inside a turn the game stands, all of it public; None at the start of a turn and at the end."""
    if step.name == "turn" or step.name in cards.ENDS:
        return None
    document: StepDocument = {"name": cast(StepName, step.name)}
    if step.name == "put":
        document["top"] = _write_face(step.face)
    elif step.face != cards.NO_FACE:
        document["play"] = format_action(PLAYS[step.owner][step.column][step.face])
        document["attacks"] = step.attacks
    if step.answer != cards.NO_FACE:
        document["answer"] = cards.CARD_NAMES[step.answer]
    return document


def _write_face(face: Face) -> FaceName | None:
    return None if face == cards.NO_FACE else cast(FaceName, cards.FACE_NAMES[face])


# Reading


def decode(value: object, players: int) -> State:
    """The state of a position document, or ParseError."""
    document = read_object(value, "A position", FIELDS, ("step",))
    state = State(
        hands=tuple(map(_read_hand, read_list(document["hands"], "'hands'", players), count(1))),
        zones=tuple(map(_read_zone, read_list(document["zones"], "'zones'", players), count())),
        pile=_read_counts(document["pile"], "'pile'"),
        discards=_read_counts(document["discards"], "'discards'"),
        turn=read_number(document["turn"], "'turn'", 0, players - 1),
        turns=read_number(document["turns"], "'turns'", 0, MOST_TURNS),
        step=_read_step(document["step"], players) if "step" in document else cards.TURN,
    )
    _check(state)
    return state._replace(step=start_step(state)) if state.step == cards.TURN else state


def _read_hand(value: object, number: int) -> Hand:
    name = f"The hand of player {number}"
    texts = read_list(value, name)
    if len(texts) > cards.HAND:
        raise ParseError(f"{name} has at most {cards.HAND} cards, not {len(texts)}.")
    return tuple(sorted(_read_card(text, f"A card in the hand of player {number}") for text in texts))


def _read_card(value: object, name: str) -> Card:
    text = read_text(value, name)
    if text not in cards.CARD_NAMES:
        raise ParseError(
            f"{name} must be one of {', '.join(cards.CARD_NAMES[each] for each in cards.ORDER)}, not {quote(text)}."
        )
    return cards.FACES[text]


def _read_face(value: object, name: str) -> Face:
    if value is None:
        return cards.NO_FACE
    text = read_text(value, name)
    if text not in cards.FACES or cards.FACES[text] == cards.MAUI:
        raise ParseError(f"{name} must be null, 1 to 8, s, or a joker such as m=7 or m=s, not {quote(text)}.")
    return cards.FACES[text]


def _read_zone(value: object, seat: int) -> Zone:
    columns = read_list(value, f"The zone of player {seat + 1}", len(cards.LETTERS))
    return tuple(_read_column(column, cards.place_name(seat, number)) for number, column in enumerate(columns))


def _read_column(value: object, place: str) -> Column:
    column = read_object(value, f"Column {place}", ("mauw", "top"))
    return Column(
        read_number(column["mauw"], f"'mauw' of column {place}", 0, cards.MOST_MAUW),
        _read_face(column["top"], f"'top' of column {place}"),
    )


def _read_counts(value: object, name: str) -> Counts:
    numbers = read_object(value, name, (), [cards.CARD_NAMES[each] for each in cards.ORDER])
    return tuple(read_number(numbers.get(each, 0), f"The number of {each} in {name}", 0) for each in cards.CARD_NAMES)


def _read_step(value: object, players: int) -> Step:
    step = read_object(value, "'step'", ("name",), ("play", "attacks", "answer", "top"))
    name = read_text(step["name"], "'name' of 'step'")
    if name not in STEP_FIELDS:
        raise ParseError(f"'name' of 'step' must be one of {', '.join(STEP_FIELDS)}, not {quote(name)}.")
    read_object(value, f"The step '{name}'", ("name", *STEP_FIELDS[name]))
    if name == "put":
        return Step(name, _read_face(step["top"], "'top' of 'step'"))
    if "play" not in step:
        return Step(name)
    play = parse_action(read_text(step["play"], "'play' of 'step'"), players)
    if not isinstance(play, PlayCard):
        raise ParseError(f"'play' of 'step' must be a card on a column, such as 7>1B, not {quote(step['play'])}.")
    attacks = read_number(step["attacks"], "'attacks' of 'step'", 0, MOST_ATTACKS)
    answer = _read_card(step["answer"], "'answer' of 'step'") if "answer" in step else cards.NO_FACE
    return Step(name, play.face, play.owner, play.column, attacks, answer)


# What is possible


def cards_seen(state: State) -> Counts:
    """Every card that does not lie as a Mauw: hands, pile, discard pile, tops, and what is just being played."""
    numbers = [pile + discarded for pile, discarded in zip(state.pile, state.discards, strict=True)]
    for hand in state.hands:
        for held in hand:
            numbers[held] += 1
    faces = [column.top for zone in state.zones for column in zone]
    # In "press" the attacking card is already on the discard pile, and only its value counts.
    if state.step.name != "press":
        faces += [state.step.face, state.step.answer]
    for face in faces:
        if face != cards.NO_FACE:
            numbers[cards.card_of(face)] += 1
    return tuple(numbers)


def mauw_lying(state: State) -> int:
    """How many cards lie as Mauw, with the one of a gain that is still to be placed."""
    gain = 1 if state.step.name == "put" else 0
    return sum(column.mauw for zone in state.zones for column in zone) + gain


def _check(state: State) -> None:
    """Raise ParseError if no game leads to this state."""
    _check_cards(state)
    for seat, zone in enumerate(state.zones):
        for number, column in enumerate(zone):
            if not column.mauw and column.top != cards.NO_FACE and not cards.has_warrior(column):
                raise ParseError(f"A spirit lies only on Mauw, and column {cards.place_name(seat, number)} has none.")
    winners = sum(len(cards.full_columns(zone)) >= cards.FULL_COLUMNS for zone in state.zones)
    if winners > 1:
        raise ParseError("Only one player can have three columns with three Mauw, for the game ends at once.")
    if state.step != cards.TURN:
        if winners or state.turns >= MOST_TURNS:
            raise ParseError("The game is over, so there is no step in a turn.")
        _check_step(state, state.step)
    elif not winners and any(len(hand) < cards.HAND for hand in state.hands) and _may_refill(state):
        raise ParseError(
            f"Each hand has {cards.HAND} cards at the start of a turn as long as pile or discards have any."
        )


def _may_refill(state: State) -> bool:
    return state.pile != cards.EMPTY_COUNTS or state.discards != cards.EMPTY_COUNTS


def _check_cards(state: State) -> None:
    whole, seen, players = cards.deck(len(state.hands)), cards_seen(state), f"with {len(state.hands)} players there are"
    for each in cards.ORDER:
        if seen[each] > whole[each]:
            raise ParseError(f"There are {seen[each]} cards {cards.CARD_NAMES[each]}; {players} {whole[each]}.")
    total = sum(seen) + mauw_lying(state)
    if total != sum(whole):
        raise ParseError(f"There are {total} cards with the Mauw; {players} {sum(whole)}.")


def _check_step(state: State, step: Step) -> None:
    if step.name in DEALT and state.pile == cards.EMPTY_COUNTS:
        raise ParseError("A card is to be taken, so the pile cannot be empty.")
    if step.name == "deal":
        _check_deal(state)
        return
    if step.name == "put":
        _check_gain(state, step)
    elif step.owner >= 0:
        _check_play(state, step)
    _check_hands(state, step)


def _check_deal(state: State) -> None:
    players = len(state.hands)
    rounds, more = divmod(sum(len(hand) for hand in state.hands), players)
    if [len(hand) for hand in state.hands] != [
        rounds + (seat < more) for seat in range(players)
    ] or rounds == cards.HAND:
        raise ParseError(f"The deal goes round from player 1, one card at a time, until each hand has {cards.HAND}.")
    begun = state.turn or state.turns or state.discards != cards.EMPTY_COUNTS
    if begun or any(column != cards.EMPTY for zone in state.zones for column in zone):
        raise ParseError("In the opening deal it is turn 0 of player 1, and nothing lies in zones or discards.")


def _check_gain(state: State, step: Step) -> None:
    if step.face != cards.NO_FACE and step.face % 10 == cards.SPIRIT:
        raise ParseError("A gain is a Mauw, alone or with a warrior on it, never with a spirit.")
    if not cards.gain_columns(state.zones[state.turn]):
        raise ParseError("A gain that finds no place is discarded, so there is none to put down.")


def _check_play(state: State, step: Step) -> None:
    """The card of a step fits on its column, and an attack is one."""
    own = step.owner == state.turn
    column = state.zones[step.owner][step.column]
    place = cards.place_name(step.owner, step.column)
    if step.face not in cards.accepted_faces(column, own):
        raise ParseError(f"The step plays {cards.FACE_NAMES[step.face]} on {place}, where it may not be played.")
    attack = cards.has_warrior(column) and not own
    if attack != (step.attacks > 0) or (step.name != "draw" and not attack):
        raise ParseError("'attacks' counts the attacking cards, from 1 in an attack on an enemy's warrior, else 0.")
    value = step.face % 10
    if step.answer != cards.NO_FACE and step.answer not in (value, cards.MAUI):
        raise ParseError(f"An attack of {value} is answered with that value or m, not {cards.CARD_NAMES[step.answer]}.")
    if step.name == "press" and step.face > cards.MAUI:
        raise ParseError(f"In the step 'press' the play is named by its value {value}, for the card is gone.")


def _check_hands(state: State, step: Step) -> None:
    """Only hands that were played from can be short, and by no more cards than were played."""
    missing = [cards.HAND - len(hand) for hand in state.hands]
    others = [seat for seat, number in enumerate(missing) if number and seat not in (state.turn, step.owner)]
    if len(others) > (0 if step.owner >= 0 else 1):
        raise ParseError(f"Each hand has {cards.HAND} cards unless its player took part in this turn.")
    if step.name == "refill" and not any(missing):
        raise ParseError("A hand is to be refilled, so they cannot all be full.")
    if step.name in ("draw", "parry") and not missing[drawer(state)]:
        raise ParseError(f"A card is to be drawn, so the hand of player {drawer(state) + 1} cannot be full.")
    if step.owner < 0:
        return
    played = max(step.attacks, 1)
    answered = max(played - (step.name in ("draw", "defend")), 0)
    if missing[state.turn] > played or (step.owner != state.turn and missing[step.owner] > answered):
        raise ParseError("A hand is short by more cards than were played in this turn.")
