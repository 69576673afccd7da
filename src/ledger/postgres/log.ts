// A log in a database. Appends need the lease: each names the run that holds it, and the head that it follows, so none is written twice or too late.

import pLimit from 'p-limit';
import { ConnectionLost, InternalError, UsageError } from '../../base/errors.ts';
import type { FileLog, LogFormat } from '../file.ts';
import type { LogKey } from '../place.ts';
import type { Database } from './database.ts';
import { codeOf, HEAD_MOVED, TIME_SHORT } from './failure.ts';

/** The run of this process that holds the lease of a log. Its lease and its log share it. */
export interface Fence {
  /** Null while no run of this process holds it. */
  run: string | null;
  /** Milliseconds that a request takes at most: what an intent needs of the lease. */
  need: number;
  /** Renews the lease, unless it is lost. */
  renew?: () => Promise<void>;
}

/** `announces`: whether a request follows an event, so that enough time must be left. */
export interface LogOptions<Event> {
  readonly format: LogFormat<Event>;
  readonly fence: Readonly<Fence>;
  readonly announces: (event: Event) => boolean;
}

/** Appends that are written together. */
interface Batch<Event> {
  readonly parts: (readonly Event[])[];
  /** By their places in `parts`: those that were refused although others were written, and why. */
  readonly end: Promise<ReadonlyMap<number, unknown>>;
}

export function databaseLog<Event>(
  database: Database,
  key: LogKey,
  { format, fence, announces }: LogOptions<Event>,
): FileLog<Event> {
  const alone = pLimit(1);
  const named = [key.project, key.kind, key.name];
  /** Of the log, as it was seen last; null before the first look. */
  let head: number | null = null;
  /** The batch that further appends join; null when the last call was no append, or is being written. */
  let boarding: Batch<Event> | null = null;

  function holder(): string {
    if (fence.run === null) throw new InternalError(`the log ${key.name} is written without its lease`);
    return fence.run;
  }

  async function look(): Promise<number> {
    const [row] = await database.query<{ head: number }>(
      'select head::float8 as head from chatform.log where project = $1 and kind = $2 and name = $3',
      named,
    );
    return row?.head ?? 0;
  }

  /** Whether exactly these events follow `after`: those of a write whose reply was lost. */
  async function isWritten(run: string, bodies: readonly string[], after: number): Promise<boolean> {
    const rows = await database.query<{ run: string; body: string }>(
      `select e.run, e.body::text as body from chatform.log l join chatform.event e on e.log = l.id
       where project = $1 and kind = $2 and name = $3 and seq > $4 order by seq limit $5`,
      [...named, after, bodies.length],
    );
    return rows.length === bodies.length && rows.every((row, index) => row.run === run && row.body === bodies[index]);
  }

  /** Writes at the head, and once: a write without a reply is looked for before it is repeated. */
  async function atHead(bodies: readonly string[], { start, write, onMoved }: Writing): Promise<void> {
    const run = holder();
    let isLost = false;
    for (let at = head ?? (await look()); ; at = head) {
      try {
        const [row] = await write(run, at);
        head = row?.head ?? null;
        return;
      } catch (error) {
        const isMoved = codeOf(error) === HEAD_MOVED;
        isLost ||= error instanceof ConnectionLost;
        if (!isMoved && !(error instanceof ConnectionLost)) throw error;
        head = await look();
        if (isLost && head !== at && (await isWritten(run, bodies, start(at)))) return;
        if (head !== at) onMoved();
      }
    }
  }

  function append(events: readonly Event[]): Promise<void> {
    const bodies = events.map(format.write);
    const need = events.some(announces) ? fence.need : null;
    return atHead(bodies, {
      start: (at) => at,
      write: (run, at) =>
        database.once("select chatform.append($1, $2, $3, $4, $5, $6 * interval '1 ms', $7)::float8 as head", [
          ...named,
          run,
          at,
          need,
          bodies,
        ]),
      // It was another writer of this run, so its events come first.
      onMoved: () => {},
    });
  }

  /**
   * Writes all at once. Where the lease ends too soon for a request that is announced, because this waited for the server, the lease is renewed. Then each
   * is written by itself: the outcome of an earlier request must be kept.
   */
  async function appendParts(parts: readonly (readonly Event[])[]): Promise<ReadonlyMap<number, unknown>> {
    const refused = new Map<number, unknown>();
    try {
      await append(parts.flat());
      return refused;
    } catch (error) {
      if (codeOf(error) !== TIME_SHORT) throw error;
      await fence.renew?.();
    }
    for (const [place, events] of parts.entries())
      await append(events).catch((error: unknown) => refused.set(place, error));
    return refused;
  }

  async function read(): Promise<readonly Event[]> {
    const rows = await database.query<{ head: number; body: string | null }>(
      `select l.head::float8 as head, e.body::text as body from chatform.log l left join chatform.event e on e.log = l.id
       where project = $1 and kind = $2 and name = $3 order by seq`,
      named,
    );
    head = rows[0]?.head ?? 0;
    const lines = rows.flatMap(({ body }) => (body === null ? [] : [`${body}\n`]));
    return format.read(key.name, Buffer.from(lines.join('')));
  }

  function begin(): Batch<Event> {
    const parts: (readonly Event[])[] = [];
    const end = alone(() => {
      if (boarding === batch) boarding = null;
      return appendParts(parts);
    });
    const batch = { parts, end };
    return batch;
  }

  const after = <T>(asked: () => Promise<T>): Promise<T> => {
    boarding = null;
    return asked();
  };

  return {
    read: () => after(() => alone(read)),
    append: async (events) => {
      if (events.length === 0) return;
      boarding ??= begin();
      const place = boarding.parts.push(events) - 1;
      const refused = await boarding.end;
      if (refused.has(place)) throw refused.get(place);
    },
    rewrite: (change) =>
      after(() =>
        alone(async () => {
          const events = await read();
          const changed = change(events);
          if (changed === events) return;
          const bodies = changed.map(format.write);
          await atHead(bodies, {
            start: (at) => Math.max(at + 1, bodies.length) - bodies.length,
            write: (run, at) =>
              database.once('select chatform.rewrite($1, $2, $3, $4, $5, $6)::float8 as head', [
                ...named,
                run,
                at,
                bodies,
              ]),
            onMoved: () => {
              throw new UsageError(
                `${format.what} ${key.name} was written by another program at the same time, and stays unchanged: try again`,
              );
            },
          });
        }),
      ),
  };
}

/** A statement that writes events, and what it means. */
interface Writing {
  /** Seq after which its events are, when it was carried out at a head. */
  readonly start: (head: number) => number;
  readonly write: (run: string, head: number) => Promise<readonly { readonly head: number }[]>;
  /** Called when another writer was there since the head was seen. */
  readonly onMoved: () => void;
}
