"""What Kemu knows of both games."""

from kemu import Manifest

TIC_TAC_TOE = Manifest(
    key="tic-tac-toe",
    title="Tic-tac-toe",
    summary="three in a row",
    how_to_play="Type the number of a cell.",
    rules="kemu_strangers.tic_tac_toe:TicTacToe",
    text="kemu_strangers.tic_tac_toe",
    encoding="kemu_strangers.tic_tac_toe:TicTacToeEncoding",
)

KUHN = Manifest(
    key="kuhn",
    title="Kuhn poker",
    summary="three cards and one bet",
    how_to_play="Type p to pass, b to bet.",
    rules="kemu_strangers.kuhn:Kuhn",
    text="kemu_strangers.kuhn",
    encoding="kemu_strangers.kuhn:KuhnEncoding",
    hidden=True,
)
