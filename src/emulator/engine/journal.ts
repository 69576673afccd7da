// The journals of a license: which requests came, which callbacks were sent and how they ended; and which webhooks would have been sent.
// That of requests holds nothing of what was in them.

/** One request that was received, or a callback that was sent. */
export interface JournalEntry {
  /** When it arrived or was sent, on the emulator's clock: milliseconds since the epoch. */
  readonly at: number;
  readonly version: string;
  readonly action: string;
  /** Null when there was no reply: the connection was reset, or a callback did not arrive. */
  readonly status: number | null;
  /** The type of the error that was answered. Of a callback: `unreachable`, or `withheld` where it would leave this machine. */
  readonly error: string | null;
  /** The faults that struck it. */
  readonly faults: readonly string[];
  /** Of a callback: its address. */
  readonly to?: string;
}

/** What a webhook says. */
export interface WebhookContent {
  readonly payload: object;
  /** Who caused a change of the configuration. */
  readonly requester?: object;
  /** Everything that an application can ask for in addition. */
  readonly additional_data: object;
}

/** A webhook that the service would send to an application which has registered for it. */
export interface WebhookEntry extends WebhookContent {
  /** When it would be sent, on the emulator's clock: milliseconds since the epoch. */
  readonly at: number;
  /** Its name: `incoming_chat`. */
  readonly action: string;
}

const KEPT = 10_000;

/** The latest of some entries. */
interface EntryLog<T> {
  readonly add: (entry: T) => void;
  /** Oldest first. */
  readonly entries: () => readonly T[];
  readonly clear: () => void;
}

function createLog<T>(): EntryLog<T> {
  let entries: T[] = [];
  return {
    add: (entry) => {
      entries.push(entry);
      // Cut now and then, and not one by one: that would move all of them with every request.
      if (entries.length >= 2 * KEPT) entries = entries.slice(-KEPT);
    },
    entries: () => entries.slice(-KEPT),
    clear: () => {
      entries = [];
    },
  };
}

export interface RequestJournal {
  /** Counts a request as it arrives. */
  readonly received: (action: string) => void;
  /** Keeps how it ended. */
  readonly ended: (entry: JournalEntry) => void;
  /** Requests by action; a batch counts once, under its own name. */
  readonly counts: () => Readonly<Record<string, number>>;
  /** The latest requests, oldest first. */
  readonly entries: () => readonly JournalEntry[];
  readonly clear: () => void;
}

export function createJournal(): RequestJournal {
  const counts = new Map<string, number>();
  const { add, entries, clear } = createLog<JournalEntry>();
  return {
    received: (action) => void counts.set(action, (counts.get(action) ?? 0) + 1),
    ended: add,
    counts: () => Object.fromEntries(counts),
    entries,
    clear: () => {
      counts.clear();
      clear();
    },
  };
}

/** Notes a webhook; its content is made at once, of the license as it stands. */
export type WebhookNotifier = (action: string, at: number, content: () => WebhookContent) => void;

export interface WebhookJournal {
  readonly notify: WebhookNotifier;
  /** The latest webhooks of all versions, oldest first. */
  readonly entries: () => readonly WebhookEntry[];
  readonly clear: () => void;
}

export function createWebhookJournal(): WebhookJournal {
  const { add, entries, clear } = createLog<WebhookEntry>();
  const notify: WebhookNotifier = (action, at, content) => add({ at, action, ...content() });
  return { notify, entries, clear };
}
