"""Whether a state can come about at all; the cards that lie as Mauw may be any of those that are not seen."""

from kemu.core.errors import ParseError
from kemu.games.mauw.cards import MAUI, NAMES, NONE, NOTHING, ORDER, SPIRIT, Counts, card, deck
from kemu.games.mauw.legal import DEALT
from kemu.games.mauw.state import EMPTY, HAND, TURN, State, Step
from kemu.games.mauw.turns import MOST_TURNS, drawer
from kemu.games.mauw.zones import FULL_COLUMNS, full, is_warrior, place_name, places, welcome


def check(state: State) -> None:
    """Refuse a state that no game leads to."""
    _check_cards(state)
    for seat, zone in enumerate(state.zones):
        for number, column in enumerate(zone):
            if not column.mauw and column.top != NOTHING and not is_warrior(column):
                raise ParseError(f"A spirit lies only on Mauw, and column {place_name(seat, number)} has none.")
    if sum(len(full(zone)) >= FULL_COLUMNS for zone in state.zones) > 1:
        raise ParseError("Only one player can have three columns with three Mauw, for the game ends at once.")
    if state.step == TURN:
        _check_start(state)
    elif any(len(full(zone)) >= FULL_COLUMNS for zone in state.zones) or state.turns >= MOST_TURNS:
        raise ParseError("The game is over, so there is no step in a turn.")
    else:
        _check_step(state, state.step)


def cards_seen(state: State) -> Counts:
    """Every card that does not lie as a Mauw: hands, pile, discards, tops, and what is just being played."""
    numbers = [pile + discarded for pile, discarded in zip(state.pile, state.discards, strict=True)]
    for hand in state.hands:
        for held in hand:
            numbers[held] += 1
    for face in _open_faces(state):
        numbers[card(face)] += 1
    return tuple(numbers)


def mauw_lying(state: State) -> int:
    """How many cards lie as Mauw, with the one of a gain that is still to be put down."""
    gain = 1 if state.step.name == "put" else 0
    return sum(column.mauw for zone in state.zones for column in zone) + gain


def _open_faces(state: State) -> list[int]:
    faces = [column.top for zone in state.zones for column in zone]
    # In "press" the attacking card is already on the discards, and only its value counts.
    if state.step.name != "press":
        faces += [state.step.face, state.step.answer]
    return [face for face in faces if face != NOTHING]


def _check_cards(state: State) -> None:
    cards, seen = deck(len(state.hands)), cards_seen(state)
    for each in ORDER:
        if seen[each] > cards[each]:
            raise ParseError(
                f"There are {seen[each]} cards {NAMES[each]}; with {len(state.hands)} players there are {cards[each]}."
            )
    total = sum(seen) + mauw_lying(state)
    if total != sum(cards):
        raise ParseError(
            f"There are {total} cards with the Mauw; with {len(state.hands)} players there are {sum(cards)}."
        )


def _check_start(state: State) -> None:
    """At the start of a turn every hand is full, unless the game is over."""
    if any(len(full(zone)) >= FULL_COLUMNS for zone in state.zones):
        return
    if any(len(hand) < HAND for hand in state.hands) and (state.pile != NONE or state.discards != NONE):
        raise ParseError(f"Each hand has {HAND} cards at the start of a turn as long as pile or discards have any.")


def _check_step(state: State, step: Step) -> None:
    if step.name in DEALT and state.pile == NONE:
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
    if [len(hand) for hand in state.hands] != [rounds + (seat < more) for seat in range(players)] or rounds == HAND:
        raise ParseError(f"The deal goes round from player 1, one card at a time, until each hand has {HAND}.")
    begun = state.turn or state.turns or state.discards != NONE
    if begun or any(column != EMPTY for zone in state.zones for column in zone):
        raise ParseError("In the opening deal it is turn 0 of player 1, and nothing lies in zones or discards.")


def _check_gain(state: State, step: Step) -> None:
    if step.face != NOTHING and step.face % 10 == SPIRIT:
        raise ParseError("A gain is a Mauw, alone or with a warrior on it, never with a spirit.")
    if not places(state.zones[state.turn]):
        raise ParseError("A gain that finds no place is discarded, so there is none to put down.")


def _check_play(state: State, step: Step) -> None:
    """The card of a step fits on its column, and an attack is one."""
    own = step.owner == state.turn
    column = state.zones[step.owner][step.column]
    place = place_name(step.owner, step.column)
    if step.face not in welcome(column, own):
        raise ParseError(f"The step plays {NAMES[step.face]} on {place}, where it may not be played.")
    attack = is_warrior(column) and not own
    if attack != (step.attacks > 0) or (step.name != "draw" and not attack):
        raise ParseError("'attacks' counts the attacking cards, from 1 in an attack on an enemy's warrior, else 0.")
    if step.answer != NOTHING and step.answer not in (step.face % 10, MAUI):
        raise ParseError(f"An attack of {step.face % 10} is answered with that value or m, not {NAMES[step.answer]}.")
    if step.name == "press" and step.face > MAUI:
        raise ParseError(f"In the step 'press' the play is named by its value {step.face % 10}, for the card is gone.")


def _check_hands(state: State, step: Step) -> None:
    """Only hands that were played from can be short, and by no more cards than were played."""
    missing = [HAND - len(hand) for hand in state.hands]
    others = [seat for seat, number in enumerate(missing) if number and seat not in (state.turn, step.owner)]
    if len(others) > (0 if step.owner >= 0 else 1):
        raise ParseError(f"Each hand has {HAND} cards unless its player took part in this turn.")
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
