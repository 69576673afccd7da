// The journal of a license: which requests came, which callbacks were sent, and how they ended. Holds nothing of what was in them.

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

const KEPT = 10_000;

export function createJournal(): RequestJournal {
  const counts = new Map<string, number>();
  let entries: JournalEntry[] = [];
  return {
    received: (action) => void counts.set(action, (counts.get(action) ?? 0) + 1),
    ended: (entry) => {
      entries.push(entry);
      // Cut now and then, and not one by one: that would move all of them with every request.
      if (entries.length >= 2 * KEPT) entries = entries.slice(-KEPT);
    },
    counts: () => Object.fromEntries(counts),
    entries: () => entries.slice(-KEPT),
    clear: () => {
      counts.clear();
      entries = [];
    },
  };
}
