// The nouns. Their comments are the glossary of the project; this file imports nothing of ours.

/** A version of the Configuration API, as it stands in the URL path. */
export type Version = '3.3' | '3.5' | '3.6' | '3.7';

/** Version of the documents that `--json` prints and `--out` saves: a higher minor only adds members. */
export const FORMAT_VERSION = '1.0';

export const VERSIONS = ['3.3', '3.5', '3.6', '3.7'] as const satisfies readonly Version[];

/** A version of the Customer Chat Web API, as it stands in the URL path. */
export type CustomerVersion = '3.3' | '3.5' | '3.6' | '3.7';

export const CUSTOMER_VERSIONS = ['3.3', '3.5', '3.6', '3.7'] as const satisfies readonly CustomerVersion[];

/** A version of the Reports API, as it stands in the URL path. */
export type ReportsVersion = '3.4' | '3.5' | '3.6' | '3.7';

export const REPORTS_VERSIONS = ['3.4', '3.5', '3.6', '3.7'] as const satisfies readonly ReportsVersion[];

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
export type JsonObject = { readonly [name: string]: Json };

/** What can be managed, one file each in `kinds/`. */
export type KindName =
  | 'agent'
  | 'group'
  | 'bot'
  | 'bot_template'
  | 'auto_access'
  | 'greeting'
  | 'tag'
  | 'canned_response'
  | 'property'
  | 'license_property'
  | 'group_property'
  | 'webhook'
  | 'webhook_state'
  | 'allowed_domain';

/**
 * The name of one declared resource everywhere: `<kind>/<key>`, for example `agent/ann@example.com`, `property/<namespace>/<name>`,
 * `group_property/<group key>/<namespace>/<name>`.
 */
export type Address = `${KindName}/${string}`;

/** The service's own id of an object; kinds without one get a composed id, made and read by their kind alone. */
export type ObjectId = string | number;

/**
 * How a field points at another object, in every normalised value: the address of a declared resource (`group/sales`), or the bare id of an
 * object that nothing declares (`7`). Always a string, so that it can be a map key.
 */
export type Reference = string;

/** One-based position in a file; `length` is how many characters a caret should underline. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly length: number;
}

/** Every code a diagnostic can have. Stable: people filter by them. */
export type DiagnosticCode =
  | 'file-unreadable'
  | 'file-too-large'
  | 'yaml-syntax'
  | 'yaml-alias'
  | 'yaml-tag'
  | 'duplicate-key'
  | 'duplicate-declaration'
  | 'overlay-patch'
  | 'missing-variable'
  | 'bad-substitution'
  | 'wrong-type'
  | 'unknown-field'
  | 'missing-field'
  | 'not-allowed'
  | 'not-writable'
  | 'too-long'
  | 'too-short'
  | 'out-of-range'
  | 'bad-format'
  | 'duplicate-item'
  | 'exclusive-fields'
  | 'bad-time'
  | 'bad-date'
  | 'bad-timezone'
  | 'bad-range'
  | 'bad-default'
  | 'too-many'
  | 'dangling-reference'
  | 'duplicate-name'
  | 'duplicate-id'
  | 'contradiction'
  | 'unsupported-by-version'
  | 'ambiguous-match'
  | 'unknown-target'
  | 'orphaned-target'
  | 'unknown-address'
  | 'unused-exception'
  | 'not-in-snapshot'
  | 'bad-rule'
  | 'route-failed'
  | 'more-findings'
  | LintId;

/** The lints, by which a project raises and silences them. */
export const LINT_IDS = [
  'unreachable-rule',
  'never-matches',
  'duplicate-rule',
  'unlike-a-browser',
  'nobody-there',
  'idle-agent',
  'unrouted-group',
  'hand-over',
  'lost-cover',
  'suspended-member',
  'overnight-shift',
  'past-exception',
  'expired',
  'absence-without-hours',
  'unused-calendar',
  'overlay-near-key',
  'like-a-pattern',
  'stray-blank',
  'unused-column',
  'greeting-never-shows',
  'greetings-together',
  'past-greeting',
  'greeting-switched-off',
  'greeting-when-offline',
  'bot-webhook-without-bot',
  'bots-without-webhooks',
  'webhook-switched-off',
  'greeting-without-text',
] as const;

export type LintId = (typeof LINT_IDS)[number];

/** One finding about what the user wrote, at its place. */
export interface Diagnostic {
  readonly code: DiagnosticCode;
  readonly severity: 'error' | 'warning';
  readonly place: Place;
  /** What is wrong: one sentence without a full stop. */
  readonly message: string;
  /** What would be right; null when the message already says it. */
  readonly remedy: string | null;
  /** The source line that `place` points into; null when the file has none, and in a document when it is very long. */
  readonly excerpt: string | null;
  /** Other places that take part, such as the first of two declarations. */
  readonly related: readonly { readonly place: Place; readonly message: string }[];
  /** Only of a lint that the last apply of the target gave as well: whether a check of the files finds it, or only a plan. */
  readonly known?: 'files' | 'plan';
  /** Only of `more-findings`, the last one of a run that has too many to tell: how many are left out. */
  readonly more?: FindingCounts;
  /** Only where several targets were checked, and not all of them have it: those that do. */
  readonly targets?: readonly string[];
}

export interface FindingCounts {
  readonly errors: number;
  readonly warnings: number;
}

/** The managed fields of a resource, in the manifest's spelling, normalised. A field left out is not managed. */
export type Spec = { readonly [field: string]: Json };

/** What the manifest says one resource should be. */
export interface DesiredResource<S = Spec> {
  readonly address: Address;
  readonly kind: KindName;
  readonly key: string;
  /** The `id:` the manifest binds it to; null when it is found by ledger or natural key. */
  readonly id: ObjectId | null;
  readonly spec: S;
  readonly place: Place;
  /** Only of a person outside of their days: no account is made. */
  readonly waits?: true;
  /** Only of a person of a table: where the row is. */
  readonly row?: Place;
  /** Only of a bot: the groups to which it hands chats over, which no request says. */
  readonly handsOver?: readonly Reference[];
  /** Only of a person who left, or an account that is no longer used: the object is retired if it exists, and never created. */
  readonly leaves?: Leaving;
}

/**
 * How a file says that a person left, or that an account is no longer used: by a row that is marked so, by a row that is missing while the ledger owns
 * the object, by `leavers:`, or by `moved:` to the account in its place.
 */
export type Leaving =
  | { readonly by: 'marked-row' | 'missing-row' | 'leavers'; readonly file: string }
  | { readonly by: 'moved'; readonly file: string; readonly to: Address };

/** The table of people, where owned objects of the kind that nothing declares any more are retired instead of released, and where a manifest says so. */
export interface Leavers {
  readonly kind: KindName;
  readonly table: string;
  readonly place: Place;
}

/** A local name for an object that is looked up and never written: `{ external: { id | name } }`. */
export interface External {
  readonly address: Address;
  readonly kind: KindName;
  readonly id: ObjectId | null;
  readonly name: string | null;
  readonly place: Place;
}

/** A renamed key: the object of `from` becomes the object of `to`. */
export interface Move {
  readonly from: Address;
  readonly to: Address;
  readonly place: Place;
}

/** Hours of one weekday, as an item of `schedule` in a work scheduler. */
export type WeekdayHours = {
  /** `monday` ... `sunday`. */
  readonly day: string;
  readonly enabled: boolean;
  /** HH:MM. */
  readonly start: string;
  readonly end: string;
};

/** Days with other hours than usual. A day is in milliseconds of its date, as UTC shows it. */
export interface HoursException {
  readonly from: number;
  /** The last day. */
  readonly to: number;
  /** In place of the usual ones. Null: closed. */
  readonly hours: readonly DaySpan[] | LessHours | null;
  readonly place: Place;
}

export type DaySpan = Pick<WeekdayHours, 'start' | 'end'>;

/** Hours that are taken from those that count otherwise, in order. A span to the end of the day ends at 24:00. */
export interface LessHours {
  readonly without: readonly DaySpan[];
}

/** Working hours that depend on the date, as the files have them. A spec has those of one week. */
export interface DatedHours {
  /** IANA name of the zone in which days begin. */
  readonly timezone: string;
  /** Hours of an ordinary week. */
  readonly ordinary: readonly WeekdayHours[];
  /** Of two that cover a day, the later one counts; `LessHours` are taken from what the earlier ones make. */
  readonly exceptions: readonly HoursException[];
  /** A closed day keeps its hours, switched off; otherwise it has none. */
  readonly keepsClosed: boolean;
}

/** Hours that depend on the date, and the first of the seven days of which a spec has them. */
export interface DatedWeek {
  readonly hours: DatedHours;
  readonly day: number;
}

/** A day on which an entry, or a member of its memberships, begins to count or no longer does, or on which a person is away or back. */
export interface Coming {
  readonly address: Address;
  /** The key of the member; null for the entry itself. */
  readonly member: string | null;
  readonly change: 'begins' | 'ends' | 'away' | 'back';
  /** Of a member that begins. */
  readonly priority?: string;
  /** The first day on which it is so. */
  readonly day: number;
  readonly timezone: string;
  readonly place: Place;
}

/** What the manifest says a license should be. */
export interface Desired {
  /** Sorted by address; rules too, their order is `ruleOrder`. */
  readonly resources: readonly DesiredResource[];
  readonly externals: readonly External[];
  /** Addresses of the rules in the order of the manifest's list. */
  readonly ruleOrder: readonly Address[];
  /** The owner clients whose properties and templates are looked at. */
  readonly namespaces: readonly string[];
  /** Kinds of which the license is to have nothing else (`prune: all`), so they are looked at although nothing may declare one. */
  readonly complete: readonly KindName[];
  /** Resources whose hours depend on the date; absent without one. */
  readonly dated?: ReadonlyMap<Address, DatedWeek>;
  /** The day that decided about `from` and `until`; absent where nothing has them. */
  readonly periods?: { readonly timezone: string; readonly day: number };
  /** What begins or ends by date. */
  readonly coming?: readonly Coming[];
  /** Absent where objects that nothing declares any more are released. */
  readonly leavers?: Leavers;
}

/** Facts about a live object that can be neither declared nor changed here. */
export interface Facts {
  /** The owner of the license: never written. */
  readonly owner?: true;
  /** Made by a bot template: neither adoptable nor prunable. */
  readonly derived?: true;
  /** Came with the license (group 0, the `test` properties): never deleted. */
  readonly builtin?: true;
  /** Came with the license, and can be deleted: it stays while it is not owned, even under `prune: all`. */
  readonly preset?: true;
  /** Waits for approval, which nothing public can give. */
  readonly pendingApproval?: true;
  /** Id of the account of the person, where the service tells it. */
  readonly account?: string;
  /** A value that reads the same as the definition's default, so it may be set or not. */
  readonly possiblyUnset?: true;
  /** Entries of a group's `agent_priorities` as read: agents, and perhaps bots. */
  readonly members?: { readonly [id: string]: string };
  /** Values of fields with the parts that the service made, such as ids in them; a write sends these parts again. */
  readonly generated?: { readonly [field: string]: Json };
  /** Members that the service alone decides, as it returned them: for people only. */
  readonly computed?: JsonObject;
  /** Fields the service did not return this time, so nothing is known of them. */
  readonly unread?: readonly string[];
  /** Those of them that a snapshot leaves out: the service may have returned them. */
  readonly withheld?: readonly string[];
  /** Why it stays while it is undeclared, even under `prune: all`, unless chatform created it: what else it belongs to, or may belong to. */
  readonly spared?: string;
}

/** One object of the license as it was read, normalised like a desired spec; references are bare ids. */
export interface LiveObject<S = Spec> {
  readonly kind: KindName;
  readonly id: ObjectId;
  /** What a person calls it. */
  readonly name: string;
  readonly spec: S;
  readonly facts: Facts;
}

/** What the license has, as far as it was read: a kind that is absent was not looked at, an empty list was. */
export interface Live {
  readonly version: Version;
  readonly objects: { readonly [kind in KindName]?: readonly LiveObject[] };
  /** Ids of the rules, first match first, rebuilt from `next_id`. */
  readonly ruleOrder: readonly string[];
  /** What a token needed for this reading. */
  readonly scopes: readonly string[];
}

/** How a declared resource came to own an object. */
export type Origin = 'created' | 'adopted' | 'imported';

/** The ledger's record that an address is an object of the license. */
export interface Binding {
  readonly id: ObjectId;
  readonly origin: Origin;
}

/** What was last applied to an address: the spec as far as it can be read back, and digests of the fields that cannot. */
export interface Applied {
  readonly spec: Spec;
  /** Field name -> SHA-256 of its canonical JSON, in hex. */
  readonly digests: { readonly [field: string]: string };
  /** Of the fields that the service keeps in another form than they were written: the values that were read after the write. */
  readonly reads?: Spec;
  /** RFC 3339. */
  readonly at: string;
}

/** What one step of a plan does to its object. */
export type StepOperation = 'create' | 'update' | 'delete' | 'transition';

/** A request that may have taken effect or not: its result is not recorded. */
export interface OpenIntent {
  readonly address: Address;
  readonly operation: StepOperation;
  /** What the object would be known by, as JSON text. */
  readonly identity: string;
  /** Ids of the kind's objects that were there before. */
  readonly seen: readonly ObjectId[];
  /** RFC 3339; the request left after it. */
  readonly at: string;
}

/** Where the one-time secret of an object is: in the sink; in a rescue file, because the sink failed; or lost, so that only a reset helps. */
export type SecretState = 'kept' | 'rescued' | 'lost';

/** The order of an ordered list as it was last applied. */
export interface AppliedOrder {
  readonly order: readonly Address[];
  /** RFC 3339. */
  readonly at: string;
}

/** What the ledger's log folds to. */
export interface LedgerState {
  readonly bindings: ReadonlyMap<Address, Binding>;
  readonly applied: ReadonlyMap<Address, Applied>;
  /** Only of objects that an address is still bound to. */
  readonly secrets: ReadonlyMap<Address, SecretState>;
  readonly orders: ReadonlyMap<KindName, AppliedOrder>;
  /** By the id of the intent, oldest first. */
  readonly intents: ReadonlyMap<string, OpenIntent>;
  /** Objects to be made again in the place of one that a run deleted, or was about to: it is unknown whether they exist. */
  readonly remaking: ReadonlyMap<Address, Spec>;
  /** Agents who could administer the license at the last apply that read agents; null when none has. */
  readonly administrators: ReadonlySet<ObjectId> | null;
}

/** A rule of the project about its own plans. */
export interface Policy {
  readonly name: string;
  /** A CEL expression that is true for every allowed plan. */
  readonly rule: string;
  /** deny: a plan that the rule does not allow is withheld. warn: it gets a warning. */
  readonly level: 'deny' | 'warn';
  /** What to tell the user when the rule is not met; null to show the rule itself. */
  readonly message: string | null;
}

/** Result of a policy for one plan. */
export interface PolicyResult {
  readonly name: Policy['name'];
  readonly level: Policy['level'];
  /** The rule is true for the plan; anything but true does not pass. */
  readonly passed: boolean;
  /** What the project tells the user. */
  readonly message: string;
  /** Why the rule could not be evaluated, such as a member that no plan has; null when it could. */
  readonly failure: string | null;
}

/** How much a difference between the license and the repository matters. */
export type Severity = 'error' | 'warning' | 'info';

/** From the most severe to the least. */
export const SEVERITIES = ['error', 'warning', 'info'] as const satisfies readonly Severity[];

/** Whether a severity is the least that counts, or above it. */
export function isAsSevere(severity: Severity, least: Severity): boolean {
  return SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(least);
}

/** Differences that the project expects and does not want reported. */
export interface IgnoreRule {
  /** Address, or a bare kind; `*` stands for anything. */
  readonly address: string;
  /** The field and perhaps the member, with a dot between; `*` stands for anything. Null for every difference of the resource. */
  readonly path: string | null;
  readonly reason: string;
  /** The last day on which it holds, YYYY-MM-DD; null when it has no end. */
  readonly until: string | null;
  readonly place: Place;
}

/** The only source of time; injected, so that no test waits. */
export interface Clock {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Resolves after `milliseconds`, or at once when `signal` aborts. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}
