// The HTTP part of docs/protocol.md.
import type {
  Acceptance,
  AnyAsk,
  ChallengeAnswer,
  ChangeAnswer,
  Choices,
  CodesLeft,
  ExplorerAnswer,
  ExplorerRequest,
  FeedAddresses,
  GameAnswer,
  GraphAnswer,
  GraphRequest,
  GroupAnswer,
  GroupChange,
  GroupStanding,
  Hint,
  HomeworkAnswer,
  HomeworkResults,
  ListedGroup,
  ListedMatch,
  ListedStudy,
  ListedTournament,
  MadeChallenge,
  MatchAnswer,
  Me,
  MemberAnswer,
  NamedAnswer,
  NewAccount,
  NewChallenge,
  NewCodes,
  NewGroup,
  NewHomework,
  NewMatch,
  NewStudy,
  NewToken,
  OfflinePuzzle,
  PlanAnswer,
  PlanChange,
  PlayerAnswer,
  ProfileAnswer,
  ProvedAnswer,
  PushKey,
  PuzzleProgress,
  PuzzleQuestion,
  PuzzleReply,
  PuzzleSolution,
  RankedAnswer,
  RatingAnswer,
  Reach,
  RecentMatches,
  Refusal,
  RelationAnswer,
  RelationRequest,
  ReplayAnswer,
  ReplayRequest,
  ReportRequest,
  RescueAnswer,
  Retry,
  ReviewStep,
  RoleRequest,
  SamePositions,
  SessionAnswer,
  SharedStudyAnswer,
  SlipAnswer,
  StudyLinks,
  SubscriptionRequest,
  Threats,
  TokenAnswer,
  TokenRequest,
  TournamentAnswer,
  TournamentTerms,
  VacationAnswer,
  WaitingMatch,
} from "./types";

/** A refusal of the server: a stable code and a sentence in English; of the rules also their reason and its values. */
export class RequestError extends Error {
  readonly code: string;
  readonly reason: string | undefined;
  readonly values: Record<string, unknown>;

  constructor({ code, message, reason, values = {} }: Refusal) {
    super(message);
    [this.code, this.reason, this.values] = [code, reason, values];
  }
}
const OFFLINE: Refusal = { code: "offline", message: "The server cannot be reached." };

async function request<T>(method: string, path: string, body?: unknown): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      headers: body === undefined ? {} : { "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new RequestError(OFFLINE);
  }
  if (response.status === 204) return undefined as T;
  if (!response.ok) throw await refusalOf(response);
  return (await response.json().catch(() => null)) as T;
}

/** The steps of a review, one on each line, as they arrive; leaving the loop closes the connection. */
async function* reviewSteps(path: string, body?: unknown): AsyncGenerator<ReviewStep> {
  const closing = new AbortController();
  try {
    const response = await fetch(path, {
      method: body === undefined ? "GET" : "POST",
      headers: body === undefined ? {} : { "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: closing.signal,
    }).catch(() => {
      throw new RequestError(OFFLINE);
    });
    if (!response.ok || !response.body) throw await refusalOf(response);
    let rest = "";
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const found = (rest + part.value).split("\n");
      rest = found.pop() ?? "";
      for (const line of found) {
        const value = JSON.parse(line) as ReviewStep & Partial<Refusal>;
        if (value.code !== undefined) throw new RequestError({ code: value.code, message: value.message ?? "" });
        yield value;
      }
    }
  } finally {
    closing.abort();
  }
}

async function refusalOf(response: Response): Promise<RequestError> {
  const refusal = (await response.json().catch(() => null)) as Partial<Refusal> | null;
  return new RequestError({ code: "internal", message: response.statusText, ...refusal });
}

export const query = (values: Record<string, unknown>): string =>
  new URLSearchParams(
    Object.entries(values)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, String(value)]),
  ).toString();

export const games = () => request<GameAnswer[]>("GET", "/api/games");
export const me = () => request<Me>("GET", "/api/me");
export const rename = (name: string) => request<Me>("PATCH", "/api/me", { name });
export const signUp = (name: string, password: string) =>
  request<NewAccount>("POST", "/api/account", { name, password });
export const signIn = (name: string, password: string) => request<Me>("POST", "/api/session", { name, password });
export const signOut = () => request<void>("DELETE", "/api/session");
export const recover = (name: string, code: string, password: string) =>
  request<Me>("POST", "/api/recovery", { name, code, password });
export const changePassword = (old: string, password: string) =>
  request<void>("PUT", "/api/account/password", { old, password });
export const codesLeft = () => request<CodesLeft>("GET", "/api/recovery-codes");
export const renewCodes = (password: string) => request<NewCodes>("POST", "/api/recovery-codes", { password });
export const sessions = () => request<SessionAnswer[]>("GET", "/api/sessions");
export const endSession = (id: string) => request<void>("DELETE", `/api/sessions/${id}`);
export const endOtherSessions = () => request<void>("DELETE", "/api/sessions");
export const tokens = () => request<TokenAnswer[]>("GET", "/api/tokens");
export const addToken = (label: string, scope: TokenRequest["scope"]) =>
  request<NewToken>("POST", "/api/tokens", { label, scope });
export const dropToken = (id: string) => request<void>("DELETE", `/api/tokens/${id}`);
export const noticesSeen = (seen: { about: string } | { until: number }) =>
  request<void>("POST", "/api/notices/seen", seen);
export const pushKey = () => request<PushKey>("GET", "/api/push");
export const subscribe = (subscription: SubscriptionRequest) =>
  request<void>("POST", "/api/push/subscription", subscription);
export const unsubscribe = (endpoint: string) => request<void>("DELETE", "/api/push/subscription", { endpoint });
export const feeds = () => request<FeedAddresses>("GET", "/api/feeds");
export const renewFeeds = (language: "en" | "fr" | "de") => request<FeedAddresses>("POST", "/api/feeds", { language });
export const deleteFeeds = () => request<void>("DELETE", "/api/feeds");
export const turns = () => request<WaitingMatch[]>("GET", "/api/turns");
export const reach = () => request<Reach>("GET", "/api/reach");
export const player = (id: string) => request<PlayerAnswer>("GET", `/api/players/${id}`);
export const standings = (ids: string[]) =>
  request<PlayerAnswer[]>("GET", `/api/standings?${query({ players: ids.join(" ") })}`);
export const profile = (name: string) => request<ProfileAnswer>("GET", `/api/profile?${query({ name })}`);
export const playersNamed = (name: string) => request<NamedAnswer[]>("GET", `/api/players?${query({ name })}`);
export const recentMatches = (id: string, before?: number) =>
  request<RecentMatches>("GET", `/api/players/${id}/matches?${query({ before })}`);
export const best = (game: string, pace: RatingAnswer["pace"], limit: number, after?: RankedAnswer) =>
  request<RankedAnswer[]>(
    "GET",
    `/api/ratings/${game}?${query({ pace, limit, rating: after?.exact, player: after?.player })}`,
  );
export const ratedBots = (game: string) => request<PlayerAnswer[]>("GET", `/api/ratings/${game}/bots`);
export const ratingChanges = (match: string) => request<ChangeAnswer[]>("GET", `/api/matches/${match}/ratings`);
export const choices = () => request<Choices>("GET", "/api/me/choices");
export const choose = (chosen: Choices) => request<Choices>("PUT", "/api/me/choices", chosen);
export const relate = (id: string, kind: RelationRequest["kind"]) =>
  request<RelationAnswer>("PUT", `/api/relations/${id}`, { kind });
export const report = (what: ReportRequest) => request<void>("POST", "/api/reports", what);
export const removeAccount = (password: string) => request<void>("POST", "/api/account/removal", { password });
export const unrelate = (id: string) => request<void>("DELETE", `/api/relations/${id}`);

/** A game with other options than the default ones. */
export const game = (key: string, options: Record<string, unknown> = {}) => {
  const encoded = Object.fromEntries(Object.entries(options).map(([name, value]) => [name, JSON.stringify(value)]));
  return request<GameAnswer>("GET", `/api/games/${key}?${query(encoded)}`);
};

export type Show = "lobby" | "mine" | "live" | "finished";
export const matches = (show: Show, filter: { game?: string; limit?: number; before?: number } = {}) =>
  request<ListedMatch[]>("GET", `/api/matches?${query({ show, ...filter })}`);
export const match = (id: string) => request<MatchAnswer>("GET", `/api/matches/${id}`);
export const create = (match: NewMatch) => request<MatchAnswer>("POST", "/api/matches", match);
export const join = (id: string, seat?: number) => request<MatchAnswer>("POST", `/api/matches/${id}/join`, { seat });
export const leave = (id: string) => request<MatchAnswer>("POST", `/api/matches/${id}/leave`);
export const seatBot = (id: string, seat: number, bot: string) =>
  request<MatchAnswer>("PUT", `/api/matches/${id}/seats/${seat}`, { bot });
export type ShowChallenges = "anyone" | "me" | "mine";
export const challenges = (
  show: ShowChallenges,
  filter: { game?: string; limit?: number; before?: number; after?: string } = {},
) => request<ChallengeAnswer[]>("GET", `/api/challenges?${query({ show, ...filter })}`);
export const challenge = (wanted: NewChallenge) => request<MadeChallenge>("POST", "/api/challenges", wanted);
export const acceptChallenge = (id: string, wanted: Acceptance) =>
  request<MatchAnswer>("POST", `/api/challenges/${id}/accept`, wanted);
export const declineChallenge = (id: string) => request<void>("POST", `/api/challenges/${id}/decline`);
export const withdrawChallenge = (id: string) => request<void>("DELETE", `/api/challenges/${id}`);
export const plan = (id: string) => request<PlanAnswer>("GET", `/api/matches/${id}/plan`);
export const changePlan = (id: string, change: PlanChange) =>
  request<PlanAnswer>("PATCH", `/api/matches/${id}/plan`, change);
export const vacation = () => request<VacationAnswer>("GET", "/api/vacation");
export const changeVacation = (on: boolean) => request<VacationAnswer>("PUT", "/api/vacation", { on });
export const hint = (id: string) => request<Hint>("POST", `/api/matches/${id}/hint`);
export const record = (id: string) => request<Record<string, unknown>>("GET", `/api/matches/${id}/record`);
export const steps = (body: ReplayRequest) => request<ReplayAnswer>("POST", "/api/replay", body);
export const graph = (body: GraphRequest) => request<GraphAnswer>("POST", "/api/analysis/graph", body);
export const replay = (id: string, seat: number, text?: boolean) =>
  request<ReplayAnswer>("GET", `/api/matches/${id}/replay?${query({ seat, text })}`);
export type ShowTournaments = "open" | "running" | "finished" | "cancelled" | "mine";
export const tournaments = (show: ShowTournaments, filter: { game?: string; limit?: number; before?: number } = {}) =>
  request<ListedTournament[]>("GET", `/api/tournaments?${query({ show, ...filter })}`);
export const createTournament = (terms: TournamentTerms) =>
  request<TournamentAnswer>("POST", "/api/tournaments", terms);
export const askTournament = (tournament: string, ask: AnyAsk) =>
  request<TournamentAnswer>("POST", `/api/tournaments/${tournament}/commands`, ask);
export const studies = () => request<ListedStudy[]>("GET", "/api/studies");
export const createStudy = (study: NewStudy) => request<SharedStudyAnswer>("POST", "/api/studies", study);
export const openStudy = (id: string, key: string) =>
  request<SharedStudyAnswer>("GET", `/api/studies/${id}?${query({ key })}`);
export const deleteStudy = (id: string) => request<void>("DELETE", `/api/studies/${id}`);
export const setStudyLinks = (id: string, links: { read: boolean; write: boolean }) =>
  request<StudyLinks>("PUT", `/api/studies/${id}/links`, links);
export const samePositions = (chapter: object) => request<SamePositions>("POST", "/api/study/positions", { chapter });
export const explorer = (question: ExplorerRequest) => request<ExplorerAnswer>("POST", "/api/explorer", question);
export const proved = (question: ExplorerRequest) => request<ProvedAnswer>("POST", "/api/explorer/proved", question);
export const rescue = (id: string, seat: number) =>
  request<RescueAnswer>("GET", `/api/matches/${id}/rescue?${query({ seat })}`);
export const threats = (id: string) => request<Threats>("GET", `/api/matches/${id}/threats`);
export const reviewMatch = (id: string) => reviewSteps(`/api/matches/${id}/review`);
export const reviewRecord = (record: Record<string, unknown>) => reviewSteps("/api/reviews", { record });
export const retry = (record: Record<string, unknown>, ply: number, action: string) =>
  request<Retry>("POST", "/api/reviews/retry", { record, ply, action });

export const groups = () => request<ListedGroup[]>("GET", "/api/groups");
export const group = (id: string) => request<GroupAnswer>("GET", `/api/groups/${id}`);
export const newGroup = (made: NewGroup) => request<GroupAnswer>("POST", "/api/groups", made);
export const joinGroup = (code: string) => request<GroupAnswer>("POST", "/api/groups/join", { code });
export const changeGroup = (id: string, change: GroupChange) =>
  request<GroupAnswer>("PATCH", `/api/groups/${id}`, change);
export const deleteGroup = (id: string) => request<void>("DELETE", `/api/groups/${id}`);
export const setRole = (id: string, player: string, role: RoleRequest["role"]) =>
  request<MemberAnswer>("PUT", `/api/groups/${id}/members/${player}`, { role });
export const leaveGroup = (id: string, player: string) =>
  request<void>("DELETE", `/api/groups/${id}/members/${player}`);
export const makePupils = (id: string, count: number) =>
  request<SlipAnswer[]>("POST", `/api/groups/${id}/pupils`, { count });
export const newPassword = (id: string, pupil: string) =>
  request<SlipAnswer>("POST", `/api/groups/${id}/pupils/${pupil}/password`);
export const groupStandings = (id: string, game: string) =>
  request<GroupStanding[]>("GET", `/api/groups/${id}/standings/${game}`);
export const homework = (id: string) => request<HomeworkAnswer[]>("GET", `/api/groups/${id}/homework`);
export const giveHomework = (id: string, given: NewHomework) =>
  request<HomeworkAnswer>("POST", `/api/groups/${id}/homework`, given);
export const deleteHomework = (id: string, work: string) =>
  request<void>("DELETE", `/api/groups/${id}/homework/${work}`);
export const homeworkResults = (id: string, work: string) =>
  request<HomeworkResults>("GET", `/api/groups/${id}/homework/${work}`);
export const easyPuzzles = (id: string, game: string, count: number) =>
  request<string[]>("GET", `/api/groups/${id}/puzzles/${game}?${query({ count })}`);
export const saveLesson = (game: string, lesson: string) => request<void>("PUT", `/api/lessons/${game}/${lesson}`);

export const puzzleGames = () => request<string[]>("GET", "/api/puzzles");
/** A puzzle by its id, or the `next` or `daily` one. */
export const puzzle = (game: string, id: string, theme?: string, met?: string) =>
  request<PuzzleQuestion>("GET", `/api/puzzles/${game}/${id}?${query({ theme, met })}`);
export const answerPuzzle = (game: string, id: string, actions: string[]) =>
  request<PuzzleReply>("POST", `/api/puzzles/${game}/${id}/answer`, { actions });
export const puzzleSolution = (game: string, id: string) =>
  request<PuzzleSolution>("POST", `/api/puzzles/${game}/${id}/solution`);
export const puzzleProgress = (game: string) => request<PuzzleProgress>("GET", `/api/puzzles/${game}/progress`);
export const offlinePuzzles = (game: string) => request<OfflinePuzzle[]>("GET", `/api/puzzles/${game}/offline`);
