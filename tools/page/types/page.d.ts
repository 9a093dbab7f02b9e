// The shapes of what the page is told beside the messages themselves (protocol.d.ts), and of what its modules share.
// tests/web/test_web_types.py compares those of tables with real ones.

/** By language. */
type Names = Record<string, string>;
/** Names, or a text that is itself. */
type Words = Names | string | null | undefined;
type Code = string;
/** Of a tile; null where it is hidden. */
type Seen = Code | null;
type VNode = import("preact").VNode;
type Child = import("preact").ComponentChildren;

/** An event of a control, as far as the page looks at it. */
interface Happening extends KeyboardEvent, DragEvent, PointerEvent {
  readonly currentTarget: HTMLInputElement & HTMLSelectElement & HTMLTextAreaElement & HTMLDetailsElement;
  readonly dataTransfer: DataTransfer;
  readonly inputType?: string;
}
type Handler = (event: Happening) => unknown;

interface Store<T> {
  value: T;
  set(next: T): void;
  change(part: Partial<T>): void;
  listen(listener: (value: T) => void): () => void;
}

/** What failed, as far as it is shown: of the server (net.js), or of the browser. */
interface Failure {
  message: string;
  code?: string;
  names?: Words;
  hint?: Words;
  problems?: Problem[];
  status?: number;
}

interface Problem {
  code: string;
  message: Words;
  hint?: Words;
  line?: number | null;
  column?: number;
}

interface Key {
  label?: string;
  do(event: KeyboardEvent): unknown;
}
type Keys = Record<string, Key | null | undefined>;

interface Prefs {
  lang: string | null;
  theme: "auto" | "dark" | "light";
  sound: number;
  help: "on" | "demand" | "off" | null;
  tiles: string;
  index: string | null;
  motion: string;
  cloth: string;
  confirm: boolean;
  panel: boolean | null;
  tab: string;
  cardPanel: boolean;
  cardTab: string;
  last: string | null;
  buttons: Record<string, string[]>;
}

// --- rules

interface TileKind {
  code: Code;
  as: Code;
  family: string;
  suit: string | null;
  rank: number | null;
  copies: number;
  name: Names;
  label: string;
  wild: boolean;
  special: string[];
  draw: Record<string, unknown>;
}

interface Zone {
  id: string;
  name: Names;
  of: "table" | "seat";
  seen_by: string;
  claimable: boolean;
  sorts: boolean;
  wall: boolean;
  turns: boolean;
  side: string;
  slanted: boolean;
  stacked: number;
}

interface Choosing {
  name: string;
  kind: string;
  label: Names;
  asked?: Names;
}

interface Offer {
  name: Names;
  wins: boolean;
  rank: number | null;
  rare: boolean;
  group: string | null;
  chooses: Choosing[];
}

interface Mark {
  name: Names;
  of: string;
  is: string;
  secret: boolean;
  stick: boolean;
}

interface ExchangeStep {
  step: string;
  name: Names;
  way: string | null;
  round: string;
}

interface TableButton {
  id: string;
  name: Names;
  on: boolean;
  takes: string | null;
  declines: string[];
  sorts: string | null;
}

/** What tiles are drawn by: the rules, or less where only tiles are shown. */
interface Faces {
  digest?: string;
  tiles?: TileKind[];
  cards?: { option: string; id: string; name: Names }[];
  byCode?: Map<Code, TileKind>;
}

/** The rules of a table, as `GET /api/about/DIGEST` has them. */
interface About extends Faces {
  id: string;
  digest: string;
  version: string;
  license: string;
  authors: string[];
  name: Names;
  about: Names;
  languages: string[];
  hints: boolean;
  seats: string[];
  order: string;
  winds: Record<string, Code | null>;
  levels: Record<string, Names>;
  unit: string;
  measures: Record<string, Names>;
  units: Record<string, Names>;
  inner: string[];
  tiles: TileKind[];
  indices: boolean;
  families: Record<string, Names>;
  zones: Zone[];
  offers: Record<string, Offer>;
  phases: Record<string, { name: Names }>;
  asks: Record<string, Choosing>;
  exchanges: ExchangeStep[];
  marks: Record<string, Mark>;
  buttons: TableButton[];
  patterns: Record<string, { name: Names }>;
  forms: Record<string, Names>;
  groups: Record<string, Names>;
  options: Record<string, OptionValue>;
  mods: unknown[];
  cards: { option: string; id: string; name: Names }[];
  match: { score: number; rounds: string[]; standings: boolean; placement: number[] } | null;
  /** Kept here by asking.js and pond.js, once they are needed. */
  codes?: Set<Code>;
  place?: Map<Code, number>;
}

type OptionValue = boolean | number | string;

interface Option {
  id: string;
  label: Names;
  note?: Names;
  kind: string;
  default: OptionValue;
  choices?: { id: string; label: Names }[];
  from?: number | null;
  to?: number | null;
  step?: number;
}

interface Mod {
  id: string;
  name: Names;
  about: Names;
  options: Option[];
  conflicts: string[];
  needs: string[];
}

interface Preset {
  id: string;
  name: Words;
  about: Words;
  options: Record<string, OptionValue>;
  mods: { id: string; options: Record<string, OptionValue> }[];
}

/** What tells someone who does not know a ruleset whether to try it. */
interface Profile {
  level: string;
  minutes: number | null;
  in_short: Names;
  tiles: Code[];
  hints: boolean;
}

/** A bundled ruleset in outline. */
interface Outline {
  id: string;
  name: Names;
  about: Names;
  source: Names;
  profile: Profile;
  languages: string[];
  seats: number[];
  seats_option: string | null;
  seats_usual: number;
  cards: boolean;
}

/** The same with what may be chosen. */
interface Offered extends Outline {
  options: Option[];
  mods: Mod[];
  presets: Preset[];
}

// --- a table as one player sees it

type Move = Record<string, string> & { move: string };

interface Picking {
  move: string;
  choose: string;
  least: number;
  most: number;
  tiles: Code[];
  allowed?: string[];
  more?: boolean;
}

interface Question {
  phase: string;
  name: Names;
  moves: Move[];
  picks: Picking[];
}

interface Refusal {
  move: string;
  reason: Names;
  choices?: Record<string, string>[];
}

interface Lying {
  tiles: Seen[];
  exposed?: boolean;
  kinds?: string[];
  stands_for?: Record<Code, Code>;
  discarder?: string | null;
  claimed?: number | null;
  /** Of a seat that makes several hands: the one it belongs to. */
  hand?: number;
}

interface Discarded {
  number: number;
  tile: Code;
  place?: string;
  index?: number;
  just_drawn?: boolean;
  sideways?: boolean;
}

interface Deal {
  hand: number;
  hash: string;
}

interface OpenedDeal extends Deal {
  hashed: string;
  seed: string;
  salt: string;
}

/** Codes of a zone of the table, or of each seat. */
type Laid = Seen[] & Record<string, Seen[]>;
type MarkValue = boolean | number | string | string[] | null;

interface View {
  seat: string | null;
  phase: string;
  turn: string;
  playing: string[];
  winners: string[];
  hand: number;
  round: number;
  round_wind: Code | null;
  scores: Record<string, number>;
  pot: number;
  zones: Record<string, Laid>;
  discards: Record<string, Discarded[]>;
  sideways: Record<string, Record<string, number>>;
  melds: Record<string, Lying[]>;
  marks: Record<string, MarkValue | Record<string, MarkValue>>;
  /** Of who makes several. */
  hands?: Record<string, MadeHand[]>;
  tile: Seen;
  drawn: Seen;
  discarder: string | null;
  question: Question | null;
  step: string | null;
  refusals: Refusal[];
  players: Record<string, number>;
  levels: { hand: number; dealership: number; round: number };
  wall_left: number | null;
  over: boolean;
  walls: Record<string, { count?: number; zone?: string; tile?: Code }[]>;
  worth_more: Code[];
  deal: Deal | null;
}

/** What fills a blank of a line: names, somebody, tiles that are seen or not, a line, or several. */
type Slot = number | string | { names: Names } | { seat: string; player: number | null } | { tiles: Code[] } | { count: number } | Told | Slot[];

/** A line that is told: a message and what fills its blanks. */
interface Told {
  id: string;
  slots: Record<string, Slot>;
  sound?: string;
  kind?: string;
}

interface CountedLine {
  id: string;
  name: Words;
  values?: Record<string, number>;
  worth?: number;
  times: number;
  tiles?: number[];
}

/** Something that happened, as far as the page looks at it; `told` is its line. */
interface Happened {
  event: string;
  told?: Told;
  seat?: string;
  tiles?: Code[] | number;
  self_draw?: boolean;
  discarder?: string | null;
  patterns?: CountedLine[];
  total?: number;
  unit?: string;
}

interface HandScore {
  win: boolean;
  total: number;
  unit: string;
  values: Record<string, number>;
  patterns: CountedLine[];
  reading: string[];
  form: string;
  line?: string;
  group?: string;
  called?: Names;
  payments: Record<string, number>;
}

/** A hand that is shown when it is over. */
interface EndedHand {
  player: number;
  hand: Seen[];
  melds: Lying[];
  bonus?: Code[];
  groups?: number[][];
  lines: CountedLine[];
  tile?: Code | null;
  seat?: string;
  score?: HandScore;
  total?: number;
  unit?: string;
  values?: Record<string, number>;
  card?: string | null;
  self_draw?: boolean;
  discarder?: number | null;
}

interface FormulaPart {
  number: number;
  names: Names;
  measure?: string;
}

interface Payment {
  from: number | null;
  to: number | null;
  amount: number;
  name: Names | null;
  formula: (FormulaPart | string | number)[];
  reasons: Names[];
}

interface Played {
  levels: View["levels"];
  round_wind: Code | null;
  marks: View["marks"];
  pot: number;
}

interface HandResult {
  hand: number;
  ended: string;
  winners: EndedHand[];
  left: EndedHand[];
  gains: number[];
  scores: number[];
  told: Told[];
  payments: Payment[];
  dealer: number;
  problems: Words[];
  standings: { won: number[]; round: number; won_in_round: number[]; gained_in_round: number[]; leaders: number[] };
  played: Played;
  deal: OpenedDeal | null;
}

/** The same with the table at that moment. */
interface ShownResult extends HandResult {
  seq: number;
  table: View;
  own?: Seen[];
}

// --- a session: what parts of a table are given

interface TableInfo extends Omit<Protocol.TableInfo, "spec" | "setup"> {
  spec: Protocol.Spec & { mods: Protocol.SpecMod[] };
  setup: Protocol.Setup;
}

/** Milliseconds left, of so many, and when they are over by the clock of this browser. */
interface Deadline {
  of: number;
  ms: number;
  till: number;
  player?: number;
  passed?: boolean;
}

interface Wait {
  code: Code;
  left: number;
  value?: number | null;
  reason?: Words;
}

interface ThrownAway {
  code: Code;
  away: number | null;
  tiles?: Wait[];
  waits?: Wait[];
  barred?: Words[];
}

interface NearHand {
  line: string;
  /** Of a seat that makes several hands: the one it would be. */
  of_hand?: number;
  missing: number;
  value: number | null;
  groups?: { code: Code; has: boolean; by: Code }[][];
}

/** Advice. */
interface Advice {
  move?: Move | null;
  reason?: Words;
  problem?: Words;
  away: number | null;
  tiles?: Wait[];
  unit?: string;
  barred?: Words[];
  useful?: Wait[];
  discards?: ThrownAway[];
  hands?: NearHand[];
  dead?: NearHand[];
  forms?: { form: string; away: number; tiles: Wait[] }[];
}

interface HelpState {
  busy?: boolean;
  found?: Advice;
  old?: Advice;
  error?: Failure;
}

interface PointsOfHand {
  hand: number;
  scores: number[];
  won?: number[];
}

interface Recorded {
  view: View;
  events: Happened[];
  asked: number[];
  ends?: boolean;
}

interface Reveal {
  wins: Happened[];
  before: View;
  view: View;
  winners: EndedHand[];
}

/** What a session knows now. */
interface Knows {
  info: TableInfo;
  about: About;
  view: View;
  seq: number;
  lines: Told[];
  asked: number[];
  claim: Deadline | null;
  clock: Deadline | null;
  pause: Deadline | null;
  result: ShownResult | null;
  played: Played | null;
  points: PointsOfHand[];
  chat: Protocol.ChatLine[];
  answered: { question: string } | null;
  error: Failure | null;
  help: Record<string, HelpState>;
  replaying: boolean;
  refused: number | null;
  reveal: Reveal | null;
  token?: string | null;
}

/** The same before everything is there. */
type Knowing = Omit<Knows, "info" | "about" | "view"> & { info: TableInfo | null; about: About | null; view: View | null };

/** Who somebody is. */
interface People {
  me: number | null;
  nameOf(player: number): string;
}

/** What the felt and its panels want: a table that is played (session.js), or one that is watched (watched.js). */
interface Session extends People {
  code: string;
  now: Knows;
  on: Set<string>;
  names(seat: string): string;
  whom(seat: string): string;
  hashOf(hand: number): string | undefined;
  seen(): void;
  toggle(id: string): void;
  watch(replaying?: boolean): void;
  revealed(): void;
  help(what: string): void;
  answer(move: Move): unknown;
  ready(): unknown;
  sit(player: number): unknown;
  stand(): unknown;
  tell(message: Said): Promise<Reply | null>;
  readonly isAsked: boolean;
  readonly awaited: number[];
  readonly recording: { result: HandResult; steps: Recorded[] } | null;
  readonly connected: boolean;
  readonly invite?: string | null;
}

/** A message to a table, without its code. */
type Said = { [Kind in Protocol.page as Kind["say"]]: Omit<Kind, "table"> }[Protocol.page["say"]];

/** What a page may read of a reply. */
type Reply = Partial<Omit<Protocol.ShowTable, "say" | "id" | "info">> & {
  info?: TableInfo;
  seconds?: number;
  code?: string;
  next?: string | null;
};

/** A seat with its side of the felt: the nth of those there. */
interface Place {
  seat: string;
  side: Side;
  at: number;
  of: number;
}
type Side = "me" | "left" | "top" | "right";

interface HandTile {
  code: Code;
  key: string;
  drawn: boolean;
  rack: number;
}

/** One of the hands that a seat makes; once it is won, what it is, and its value. */
interface MadeHand {
  hand: number;
  state: "open" | "won" | "dead";
  melds?: Code[][];
  tiles?: Code[];
  total?: number;
}

/** What is laid down of a hand: how many tiles. */
interface RackHand {
  laid: number;
  open: boolean;
}

/** One tile of the hand, a move for each. */
interface HandEntry {
  kind: "hand";
  does: string;
  label: string;
  name: string;
  moves: Move[];
  byCode: Map<Code, Move>;
}

/** One or several moves, each a button. */
interface WaysEntry {
  kind: "ways";
  does: string;
  label: string;
  name?: undefined;
  moves: Move[];
  wins: boolean;
  rare: boolean;
  spread: boolean;
}

/** Several tiles of the hand; `ways`: which may be picked together, where not all may. */
interface PickEntry {
  kind: "pick";
  does: string;
  label: string;
  name: string;
  least: number;
  most: number;
  tiles: Code[];
  ways: Code[][] | null;
  before: Record<string, string>;
}
type Entry = HandEntry | WaysEntry | PickEntry;

/** A button below the table: a move, or what is done with entries. */
interface Item {
  id: string;
  text?: string;
  label?: string;
  does?: string;
  move?: Move;
  follows?: boolean;
  wins?: boolean;
  rare?: boolean;
  quiet?: boolean;
  main?: boolean;
  ways?: Move[];
  pressed?: boolean;
  disabled?: boolean;
  picks?: [chosen: number, least: number, most: number];
  do(): unknown;
}

/** A part of a move: tiles, or a text. */
type MovePart = { tiles: PlacedTile[]; text?: undefined } | { text: string; tiles?: undefined };

interface PlacedTile {
  code: Code;
  stands: Code | null;
  seat: string | null;
}


// --- rulebooks

interface Block {
  block: string;
  id?: string;
  text?: string;
  items?: string[];
  head?: string[];
  rows?: string[][];
  blocks?: Block[];
  yes?: boolean | null;
  [more: string]: unknown;
}

interface Section {
  id: string;
  title: string;
  blocks: Block[];
}

interface Book {
  title: string;
  lang: string;
  sections: Section[];
}

// --- what the modules of the table give each other

type Play = ReturnType<typeof import("../../../engine/tilewright/web/static/js/pages/table/hand.js").usePlay>;
type ExchangeNow = ExchangeStep & { steps: ExchangeStep[]; nth: number };
type LinePart = string | { tiles: Code[] };
type Standing = { player: number; score: number };
type Spot = import("../../../engine/tilewright/web/static/js/motion.js").Spot;

/** Scores of players that run: what they were, while nobody has been paid yet, or what comes to them now. */
interface RunningScores {
  held?: Record<number, number>;
  gains?: Record<number, number>;
}

/** A win that is shown on the felt, and how much of it is up. */
type ShownWin = Omit<EndedHand, "discarder"> & { told: Told; discarder?: string | null };
interface Beat {
  win: ShownWin;
  up: number;
  counted?: boolean;
  scores: RunningScores;
}

interface DrawnPart {
  sign?: string;
  set?: string;
  joined?: boolean;
  colour?: string;
}

interface DrawnLine {
  text: string;
  good: boolean;
  spoken: Names;
  patterns: DrawnPart[][];
  exposed: boolean;
  value: number;
  remark?: Names;
}

/** A card as `POST /api/cards/draw` has it. */
interface DrawnCard {
  id: string;
  name: string;
  groups: { title: string; lines: DrawnLine[] }[];
}

// --- replays

type Eye = [id: string, name: string];

interface ReplayHand {
  hand: number;
  first: number;
  steps: number;
  result: HandResult | null;
}

/** One replay, as `GET /api/replays/CODE` has it, or a hand of the table (`eyes`). */
interface ReplayIndex {
  own?: Protocol.OwnDocument[];
  about: About;
  name: string;
  players: { name: string; kind: "bot" | "person"; bot?: string | null }[];
  me: number | null;
  spec: TableInfo["spec"];
  scores: number[];
  start: number[];
  eyes?: Eye[];
  hands: ReplayHand[];
  steps: number;
}

/** A finished table in a list. */
interface FinishedTable {
  code: string;
  name: string;
  spec: TableInfo["spec"];
  players: ReplayIndex["players"];
  scores: number[];
  finished: number | null;
}

// --- lobby and administration

interface OwnCard {
  id: string;
  name: string;
  text?: string;
}

/** Fields of the form of a new table, as they are typed. */
interface HowToPlay {
  hands: string;
  claim: string;
  move: string;
  public: boolean;
  spectators: boolean;
  help: boolean;
  chat: boolean;
  name: string;
  seed: string;
}

interface NewBan {
  kind: string;
  subject: string;
  reason: string;
  days: string;
}

/** What a server does now, as `GET /api/admin` has it. */
interface Overview {
  version: string;
  seconds: number;
  connections: number;
  queued_bytes: number;
  draining: boolean;
  drained: boolean;
  processes: { pid: number; use: string; memory: number; tables: number; waiting: number }[];
  tables: { id: string; name: string; ruleset: string; state: string; seats: string[]; bots: number; pages: number }[];
  people: { id: number; name: string; addresses: string[]; pages: number }[];
  addresses: { address: string; connections: number }[];
  bans: { kind: string; subject: string; reason: string; until: number | null }[];
  more: { tables: number; people: number; addresses: number };
}

type Act = (path: string, body: object, done: string) => Promise<void>;

// --- cards

/** A problem of a card or a document; counted from 1. */
interface Fault {
  code: string;
  message: string;
  hint?: string;
  severity: "error" | "warning";
  line: number;
  column: number;
  length: number;
}

interface CardPart extends DrawnPart {
  at: number;
  length: number;
}

interface CardLine extends Omit<DrawnLine, "patterns"> {
  row: number;
  patterns: CardPart[][];
  tiles: number[];
  hands: number;
  tile_sets: number;
  codes: { code: string; letter: string; says: string }[];
}

interface CardGroup {
  row: number;
  title: string;
  note?: string;
  hands?: number;
  lines: CardLine[];
}

/** A card as it is typed, as `POST /api/cards/draw` has it. */
interface TypedCard {
  id: string;
  names: Names;
  about: Names;
  groups: CardGroup[];
  problems: Fault[];
  hands?: number;
  tile_sets?: number;
}

interface Draft {
  id: string;
  text: string;
  base: number | null;
  saved: boolean;
  time: number;
}

/** A card that is kept on the server. */
interface KeptCard {
  id: string;
  name: string;
  text: string;
  updated: number;
  share: string | null;
}

type Draws = Record<string, number | null>;
type TextEdit = { text: string; start: number; end: number };

interface CardReference {
  codes: { letter: string; name: string; says: string; takes: string; type: string; line: string; hands: number }[];
  paper: { printed: string; type: string; says: string; line: string; hands: number }[];
  tiles: { type: string; says: string }[];
  colours: { type: string; says: string }[];
}

/** The text of a card, and what is selected in it. `jump` grows whenever the selection is to be put there. */
interface Typing extends TextEdit {
  jump: number;
}

type Editing = import("../../../engine/tilewright/web/static/js/pages/cards/editing.js").Editing;
type Keeping = import("../../../engine/tilewright/web/static/js/pages/cards/keeping.js").Keeping;
type Working = import("../../../engine/tilewright/web/static/js/pages/cards/working.js").Working;

/** How a card is kept: states in keeping.js. */
interface Kept {
  state: string;
  error: Failure | null;
  share: string | null;
  theirs: string | null;
  since: number | null;
}

interface Drawn {
  text: string | null;
  card: TypedCard | null;
  failed: Failure | null;
}

interface Paper {
  text: string | null;
  size: string | null;
  sheets: string[];
  across: string;
  down: string;
}

/** What one likes of the editor. */
interface Liked {
  paper: string;
  hard: boolean;
}

// --- the workshop

type Wanted = { line: number; column: number };
type Span = Wanted & { end_line: number; end_column: number; file?: string };
type SpanEdit = Span & { text: string };

interface Fix {
  kind: string;
  what: string;
  edits: SpanEdit[];
}

/** A problem of a document. */
interface DocumentFault extends Omit<Fault, "severity" | "line"> {
  severity: "error" | "warning" | "note";
  line?: number | null;
  file?: string;
  fixes?: Fix[];
}

interface OutlineEntry {
  line: number;
  id: string;
  in: string;
}
interface OutlineSection {
  section: string;
  line: number;
  entries: OutlineEntry[];
}

/** What a text is, as it was checked. */
interface Head {
  good: boolean;
  kind: string;
  id?: string;
  name?: Names;
  targets?: string[];
  beside?: { name: string; text: string }[];
  outline: OutlineSection[];
  problems: DocumentFault[];
  old: boolean;
}

/** A case as it is written in a document. */
interface Case {
  hand?: string | string[];
  melds?: (string | { kind?: string; tiles: string })[];
  win?: string;
  win_tile?: string;
  bonus?: string | string[];
  self_draw?: boolean;
  seat_wind?: string;
  round_wind?: string;
  discarder?: string;
  flags?: string | string[];
  marks?: Record<string, string | number | string[]>;
  zones?: unknown;
  others?: unknown;
  winner?: unknown;
}

interface CaseScore {
  win: boolean;
  total: number;
  unit: string;
  called?: Names;
  values: Record<string, number>;
  patterns: { id: string; worth: number; times: number }[];
  payments?: Record<string, number>;
}

interface Example {
  kind: string;
  name: Names;
  of: string;
  line: number;
  good: boolean;
  yes?: boolean;
  score?: CaseScore;
  case: Case;
  problems: DocumentFault[];
}

interface Measures {
  units?: Record<string, Names>;
  measures?: Record<string, Names>;
}

interface Tally {
  line: number;
  held: number;
  tried: number;
}

/** What came of the examples of a document. */
interface Tried extends Measures {
  examples?: Example[];
  problems?: DocumentFault[];
  tallies: Tally[];
  options: Option[];
  left: number;
  asks?: { winds: string[]; seats: string[]; marks: { id: string; name: Names }[]; flags: string[]; playable: boolean };
}

interface Coverage {
  percent: number;
  notes?: DocumentFault[];
}

interface Answered<T> {
  wish: string | null;
  value: T | null;
  error: Failure | null;
  busy: boolean;
}

/** What the parts of the bench are given. */
interface BenchState {
  good: { text: string; head: Head } | null;
  spec: Protocol.Spec | null;
  asked: { text: string; target?: string; options?: Record<string, OptionValue> } | null;
  offered: Option[];
  options: Record<string, OptionValue>;
  choose(options: Record<string, OptionValue>): void;
  tried: Answered<Tried>;
  covered: Answered<Coverage>;
  covering: boolean;
  setCovering(yes: boolean): void;
  current: boolean;
  problems: DocumentFault[];
  head: Head | null;
  target?: string;
  targets: string[];
}

/** A document that is open: docs in keeping.js. */
interface KeptDocument {
  id: string;
  name: string;
  names?: Names;
  kind: string;
  share: string | null;
  text: string;
  saved: string | null;
  updated: number | null;
  own: boolean;
  from?: "bundled" | "shared";
  lost?: boolean;
  restored?: number | null;
}

interface ListedDocument {
  id: string;
  name: string;
  names: Names;
  abouts: Names;
  kind: string;
  updated: number;
}

interface Completion {
  label: string;
  kind: string;
  type?: string;
  boost: number;
  doc?: string;
  example?: string;
}

type Asking = typeof import("../../../engine/tilewright/web/static/js/pages/workshop/asking.js");
type CodeMirror = typeof import("../editor.js");
type EditorView = import("@codemirror/view").EditorView;
type EditorText = import("@codemirror/state").Text;

/** What the page does with the editor. */
interface EditorHands {
  go(line: number, column?: number): void;
  set(text: string): void;
  focus(): void;
  text(): string;
  next(): boolean;
  format(ask: Asking): Promise<unknown>;
  upgrade(ask: Asking): Promise<unknown>;
}

/** What the editor asks of the page. */
interface EditorNow {
  onText?(text: string): void;
  onSave?(): void;
  onLine?(line: number): void;
  onRename(naming: Naming): void;
  ask: Asking;
}

interface Naming {
  place: Wanted;
  word: string;
}

/** The form of a hand, as it is typed. */
interface HandForm {
  hand: string;
  melds: string;
  win_tile: string;
  bonus: string;
  self_draw: boolean;
  seat_wind: string;
  round_wind: string;
  discarder: string;
  flags: string[];
  marks: Record<string, string>;
  zones?: unknown;
  others?: unknown;
  winner?: unknown;
}

interface PatternRead {
  id: string;
  counted: boolean;
  holds: boolean;
  near?: boolean;
  why?: string;
  evidence?: string;
}

interface Reading {
  reading: string[];
  form: string;
  short?: string;
  patterns: PatternRead[];
}

interface ScoredHand extends Measures {
  problems?: DocumentFault[];
  score: CaseScore;
  readings: Reading[];
  tiles: { hand: Code[]; win: Code[]; melds: Code[][]; bonus: Code[] };
  names: Record<string, Names>;
  reasons?: Words;
  inner?: string[];
  measures: Record<string, Names>;
}

interface ExpressionPart {
  text: string;
  value: string;
  parts: ExpressionPart[];
}

interface EvaluatedHand {
  problems?: DocumentFault[];
  readings?: { reading: string[]; form: string; whole: ExpressionPart }[];
}

type Interval = { low: number; high: number } | null | undefined;

interface GamesSummary extends Measures {
  hands: number;
  won: number;
  failed: number;
  length: { mean: number };
  value: { mean: number; unit: string; most: number | null };
  wins: { self_draw: number; discard: number; robbed: number };
  by_seat: { seat: string; wins: Record<string, number>; fed: number; points: { mean: number } }[];
  problems: Record<string, number>;
  failures: { error: string }[];
  patterns: { id: string; hands: number; worth: number }[];
  names: Record<string, Names>;
  never: string[];
  report: {
    won: Interval;
    seats: { points: Interval }[];
    standing_out: { id: string; stands_out: string; beside: number }[];
  };
}

interface GamesTold {
  done?: number;
  of?: number;
  summary?: GamesSummary;
  error?: { message: Words };
  problems?: DocumentFault[];
}
