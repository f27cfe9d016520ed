// One tournament as its server tells it: everything at first, then what changes.
import { LiveSocket, newId, type Connection } from "../wire/socket";
import type { TournamentFrame, TournamentMessage, TournamentMessageAnswer } from "../wire/types";

export class LiveTournament {
  connection = $state<Connection>("opening");
  /** Whether there is no such tournament. */
  gone = $state(false);
  frame = $state.raw<TournamentFrame>();
  /** How far the clock of the server is before this one, in ms. */
  ahead = $state(0);
  #socket: LiveSocket<TournamentMessageAnswer, TournamentMessage>;

  constructor(readonly id: string) {
    this.#socket = new LiveSocket({
      address: () => `/api/tournaments/${id}/socket`,
      ready: ({ type }) => type === "tournament",
      answered: (frame) => ("re" in frame ? frame.re : undefined),
      frameReceived: (frame) => this.#received(frame),
      connectionChanged: (connection) => {
        this.connection = connection;
        if (connection === "closed") this.gone = true;
      },
    });
  }

  close(): void {
    this.#socket.close();
  }

  #received(frame: TournamentMessageAnswer): void {
    if (frame.type === "tournament") this.frame = frame;
    if (frame.type === "change" && this.frame) {
      if (frame.version <= this.frame.version) return;
      if (frame.version > this.frame.version + 1) {
        void this.#socket.send({ do: "full", id: newId() });
        return;
      }
      const rounds = new Map([...this.frame.rounds, ...frame.rounds].map((round) => [round.number, round]));
      const inOrder = [...rounds.values()].sort((a, b) => a.number - b.number);
      this.frame = { ...this.frame, ...frame, type: "tournament", rounds: inOrder };
    }
    if (frame.type === "tournament" || frame.type === "change") this.ahead = frame.now - Date.now();
  }
}
