// What an emulator is asked and what it answers, whatever carries it: a port, or a `Request` of this process. Knows neither of them.

/** A request. */
export interface Asked {
  readonly method: string;
  /** Begins with a slash; with its query. */
  readonly target: string;
  /** By lower-case name; null when it was not sent. */
  readonly header: (name: string) => string | null;
  /** The body; null, without taking it all in, when it has more bytes than that. -1 takes any. Called once at most. */
  readonly text: (limit: number) => Promise<string | null>;
}

/** A response. Names of headers are as they are written. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Null for no bytes at all. */
  readonly text: string | null;
  /** Bytes per second, for a body that is to arrive slowly. */
  readonly pace?: number;
}

/** Answers any request; rejects only, with the code ECONNRESET, where the connection is to be reset. */
export type Handler = (asked: Asked) => Promise<Answer>;

/** The path of a target, without its query. */
export function pathOf({ target }: Asked): string {
  const end = target.indexOf('?');
  return end === -1 ? target : target.slice(0, end);
}

export function queryOf({ target }: Asked): URLSearchParams {
  const start = target.indexOf('?');
  return new URLSearchParams(start === -1 ? '' : target.slice(start + 1));
}
