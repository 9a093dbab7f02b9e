// Written by `make docs` from the classes of the messages.

declare namespace Protocol {
  type page = Hello | Make | Rename | WatchLobby | Ping | Join | Leave | Sit | Stand | Start | Set | Invite | Spectators | Remove | Chatting | Chat | Again | Answer | Ready | Press | AskHelp;
  type server = Welcome | Done | Pong | ShowTable | ShowInfo | ShowStep | ShowChat | GiveHelp | ShowInvite | NextTable | ShowLobby | Error | Bye;
  /** The first message: the version that the page speaks, and the key of the person, if there is one already. */
  type Hello = {
    say: "hello";
    v: number;
    key?: string | null;
    name?: string | null;
    lang?: string;
    id?: string | number | null;
  };
  /** Open a table: what is played, how, and which seat (a player) the sender takes. */
  type Make = {
    say: "make";
    spec: Spec;
    setup: Setup;
    sit?: number | null;
    id?: string | number | null;
  };
  /** What is played. `hands`: so many, or (null) the match; `seed`: of a single player; `beside`: texts that the others name by their ids, which are their names. At most one card may replace the choice of an option. */
  type Spec = {
    ruleset: SpecDocument;
    mods?: Array<SpecMod>;
    options?: Record<string, boolean | number | string | SpecDocument>;
    hands?: number | null;
    seed?: number | null;
    beside?: Array<SpecDocument>;
  };
  /** A bundled document by its `id`, or a user's: its `text` and its `name`. */
  type SpecDocument = {
    id?: string;
    name?: string;
    text?: string | null;
  };
  /** A mod, as a document, with its options. */
  type SpecMod = {
    id?: string;
    name?: string;
    text?: string | null;
    options?: Record<string, boolean | number | string | SpecDocument>;
  };
  /** How a table is played. `seats` by player; seconds as the page sets them, `claim_seconds` by who plays unless they are set; `spectator_delay` in answers. */
  type Setup = {
    seats: Array<SeatSetup>;
    public?: boolean;
    name?: string;
    help?: boolean;
    spectators?: boolean;
    claim_seconds?: number | null;
    move_seconds?: number | null;
    bot_seconds?: number;
    away_seconds?: number;
    spectator_delay?: number;
    chat?: boolean;
  };
  /** Who is to have a seat: a person, or a bot of this name (`fast`, if none is named). */
  type SeatSetup = {
    kind: "bot" | "person";
    bot?: "careful" | "fast" | "random" | "strong" | null;
  };
  /** Change the name of the person, everywhere. */
  type Rename = {
    say: "rename";
    name: string;
    id?: string | number | null;
  };
  /** Get the open tables now and whenever they change, or stop that. */
  type WatchLobby = {
    say: "lobby";
    on: boolean;
    id?: string | number | null;
  };
  /** A sign of life. */
  type Ping = {
    say: "ping";
    id?: string | number | null;
  };
  /** Follow a table, or play at it. `seat`: the secret of a seat's link, which gives the seat back elsewhere. */
  type Join = {
    say: "join";
    table: string;
    seat?: string | null;
    id?: string | number | null;
  };
  /** Stop following a table, and keep the seat. */
  type Leave = {
    say: "leave";
    table: string;
    id?: string | number | null;
  };
  /** Take a free seat. `invite`: the table's invite code, which a seat that becomes free in a private game needs. */
  type Sit = {
    say: "sit";
    table: string;
    player: number;
    invite?: string | null;
    id?: string | number | null;
  };
  /** Give up the seat. */
  type Stand = {
    say: "stand";
    table: string;
    id?: string | number | null;
  };
  /** Start play: free seats become fast bots. For the host. */
  type Start = {
    say: "start";
    table: string;
    id?: string | number | null;
  };
  /** Assign a seat, while the table waits. For the host. */
  type Set = {
    say: "set";
    table: string;
    player: number;
    seat: SeatSetup;
    id?: string | number | null;
  };
  /** Get a new invite code, in place of the one before. For the host. */
  type Invite = {
    say: "invite";
    table: string;
    id?: string | number | null;
  };
  /** Let others watch, or not. For the host. */
  type Spectators = {
    say: "spectators";
    table: string;
    on: boolean;
    id?: string | number | null;
  };
  /** Remove a spectator, by the number in `info`. For the host. */
  type Remove = {
    say: "remove";
    table: string;
    spectator: number;
    id?: string | number | null;
  };
  /** Let players chat, or not. For the host. */
  type Chatting = {
    say: "chatting";
    table: string;
    on: boolean;
    id?: string | number | null;
  };
  /** Say something to all who are at the table: a phrase, which each reads in their own language, or a line of text. For players. */
  type Chat = {
    say: "chat";
    table: string;
    phrase?: "bye" | "good_luck" | "hello" | "moment" | "nice" | "sorry" | "thanks" | "well_played" | null;
    text?: string | null;
    id?: string | number | null;
  };
  /** Play the same again at a new table, when this one is over. */
  type Again = {
    say: "again";
    table: string;
    id?: string | number | null;
  };
  /** A move, in answer to the question of the step with this number. */
  type Answer = {
    say: "answer";
    table: string;
    seq: number;
    move: Record<string, string>;
    id?: string | number | null;
  };
  /** Continue: skip a claim window without being asked, or leave a result. */
  type Ready = {
    say: "ready";
    table: string;
    seq: number;
    id?: string | number | null;
  };
  /** Which buttons are on, all of them. */
  type Press = {
    say: "press";
    table: string;
    on: Array<string>;
    id?: string | number | null;
  };
  /** Get advice: what a bot would do, what the hand waits for, which hands are nearest. */
  type AskHelp = {
    say: "help";
    table: string;
    what: "hint" | "nearest" | "waits";
    id?: string | number | null;
  };
  /** The reply to the first message: the person, and the limits of messages. `key`: the secret of the person. */
  type Welcome = {
    say: "hello";
    v: number;
    key: string;
    version: string;
    person: Record<string, string>;
    limits: Record<string, number>;
    id?: string | number | null;
  };
  /** A request was carried out. */
  type Done = {
    say: "done";
    table?: string | null;
    id?: string | number | null;
  };
  /** The reply to `ping`. */
  type Pong = {
    say: "pong";
    id?: string | number | null;
  };
  /** All that a page needs to draw a table. `token`: the secret of the seat's link, for its person alone; `stood_in`: a bot played for the person until now; `about_digest`: names the rules for `GET /api/about/DIGEST`; `story`: the last events; `pressed`: buttons that are on; `view`: its parts by path; `result`: of the hand that has just ended, or of the last one if the table is over; `chat`: what was said last. */
  type ShowTable = {
    say: "table";
    table: string;
    info: TableInfo;
    about_digest: string | null;
    token: string | null;
    stood_in: boolean;
    pressed: Array<string>;
    seq: number;
    view: Record<string, unknown> | null;
    asked: Array<number>;
    story: Array<unknown>;
    result: Record<string, unknown> | null;
    claim: TimeWindow | null;
    clock: TimeToAnswer | null;
    pause: TimeWindow | null;
    chat: Array<ChatLine>;
    id?: string | number | null;
  };
  /** The public state of a table, which reveals no tiles. `me`: the receiver's player; `host`: the receiver made the table; `hand`: the number of the hand; `watching`: how many spectators; `spectators`: who they are, for the host; `next`: the code of the table that follows this one, for those who may see it; `problem`: why it is broken; `own`: what of its rules people wrote themselves; `fair`: the rules are bundled ones, except perhaps a card, the hash of each deal is published before the hand, and nobody chose the seed. */
  type TableInfo = {
    code: string;
    name: string;
    spec: Record<string, unknown>;
    setup: Record<string, unknown>;
    state: "broken" | "over" | "playing" | "waiting";
    seats: Array<SeatInfo>;
    digest: string | null;
    next: string | null;
    created: number;
    host: boolean;
    me: number | null;
    hand: number;
    scores: Array<number>;
    watching: number;
    spectators: Array<SpectatorInfo>;
    problem: Record<string, string> | null;
    own: Array<OwnDocument>;
    fair: boolean;
  };
  /** A seat. `taken`: by a bot or a person; `here`: a page of that person is open; `played_by`: who answers. */
  type SeatInfo = {
    player: number;
    kind: "bot" | "person";
    bot: string | null;
    name: string;
    taken: boolean;
    here: boolean;
    played_by: "bot" | "person";
  };
  /** A person who watches. `number`: for the message `remove`. */
  type SpectatorInfo = {
    number: number;
    name: string;
  };
  /** A document of the rules that somebody wrote, and nobody checked: whatever its `name`, it is no bundled one. `beside`: a text that the others name. */
  type OwnDocument = {
    kind: "beside" | "card" | "mod" | "ruleset";
    name: string;
  };
  /** The milliseconds left, of so many; null where there is no limit. */
  type TimeWindow = {
    ms: number | null;
    of: number | null;
  };
  /** The milliseconds left for this player. */
  type TimeToAnswer = {
    player: number;
    ms: number;
  };
  /** What a player has said: one of the phrases, or a text. */
  type ChatLine = {
    player: number;
    name: string;
    phrase: string | null;
    text: string | null;
  };
  /** The state of a table, whenever it changes. */
  type ShowInfo = {
    say: "info";
    table: string;
    info: TableInfo;
    id?: string | number | null;
  };
  /** A moment of the game. `view`: the parts that have changed; `asked`: players who have to answer, as far as the receiver may know; `claim`: everybody waits so long, since a tile may be claimed; `clock`: whose time to answer runs; `pause`: when the next hand begins, at the latest. */
  type ShowStep = {
    say: "step";
    table: string;
    seq: number;
    asked: Array<number>;
    claim: TimeWindow | null;
    clock: TimeToAnswer | null;
    pause: TimeWindow | null;
    view: Record<string, unknown>;
    events: Array<unknown>;
    result: Record<string, unknown> | null;
    id?: string | number | null;
  };
  /** What a player says to all who are at the table. */
  type ShowChat = {
    say: "chat";
    table: string;
    line: ChatLine;
    id?: string | number | null;
  };
  /** Advice requested by a page. */
  type GiveHelp = {
    say: "help";
    table: string;
    what: string;
    found: Record<string, unknown>;
    id?: string | number | null;
  };
  /** A new invite code, valid for so many seconds, while somebody can sit down. */
  type ShowInvite = {
    say: "invite";
    table: string;
    code: string;
    seconds: number;
    id?: string | number | null;
  };
  /** The code of the table where the same people play again. */
  type NextTable = {
    say: "again";
    table: string;
    next: string | null;
    id?: string | number | null;
  };
  /** Open tables with somebody present. */
  type ShowLobby = {
    say: "lobby";
    tables: Array<TableInfo>;
    id?: string | number | null;
  };
  /** A message was refused, and changed nothing. `message` and `hint` are by language. */
  type Error = {
    say: "error";
    code: string;
    message: Record<string, string>;
    table?: string | null;
    hint?: Record<string, string> | null;
    problems?: Array<Record<string, unknown>>;
    id?: string | number | null;
  };
  /** The server closes the connection. */
  type Bye = {
    say: "bye";
    reason: string;
    id?: string | number | null;
  };
}
