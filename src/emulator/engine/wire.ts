// Requests and responses in the form that every carrier shares: a port, or a `Request` of this process. Knows no API.

/** A request. */
export interface WireRequest {
  readonly method: string;
  /** Scheme, host and port to which it was sent: `http://127.0.0.1:8080`. */
  readonly origin: string;
  /** Begins with a slash; includes the query. */
  readonly target: string;
  /** By lower-case name; null when it was not sent. */
  readonly header: (name: string) => string | null;
  /** The body; null when it has more than `limit` bytes, of which not all are read. -1 is no limit. Called once at most. */
  readonly bytes: (limit: number) => Promise<Uint8Array | null>;
}

/** A response. Headers keep the spelling of their names. */
export interface WireResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Values of the header `Set-Cookie`, which is sent once for each. */
  readonly cookies?: readonly string[];
  /** A text is sent as UTF-8; null is no bytes at all. */
  readonly body: string | Uint8Array | null;
  /** Bytes per second, for a body that must arrive slowly. */
  readonly pace?: number;
}

/** Answers any request. Rejects only with the code ECONNRESET, where the connection must be reset. */
export type WireHandler = (request: WireRequest) => Promise<WireResponse>;

/** Waits this many milliseconds, or until `stop` is aborted. */
export type Sleep = (milliseconds: number, stop?: AbortSignal) => Promise<void>;

/** The path of a target, without its query. */
export function pathOf({ target }: WireRequest): string {
  const end = target.indexOf('?');
  return end === -1 ? target : target.slice(0, end);
}

export function queryOf({ target }: WireRequest): URLSearchParams {
  const start = target.indexOf('?');
  return new URLSearchParams(start === -1 ? '' : target.slice(start + 1));
}

const utf8 = new TextDecoder();

/** The text of a body. A byte order mark is no part of it. */
export const textOf = (bytes: Uint8Array): string => utf8.decode(bytes);

/** The platform's own clock. */
export const timer: Sleep = (milliseconds, stop) =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(waiting);
      stop?.removeEventListener('abort', end);
      resolve();
    };
    const waiting = setTimeout(end, milliseconds);
    stop?.addEventListener('abort', end);
  });

const PIECES_PER_SECOND = 10;

/** The pieces of a body, each at its time. */
export async function* piecesOf(
  body: string | Uint8Array,
  bytesPerSecond: number,
  sleep: Sleep,
): AsyncGenerator<Uint8Array> {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const size = Math.max(1, Math.ceil(bytesPerSecond / PIECES_PER_SECOND));
  for (let sent = 0; sent < bytes.length; sent += size) {
    const piece = bytes.subarray(sent, sent + size);
    await sleep((piece.length / bytesPerSecond) * 1000);
    yield piece;
  }
}

function slowly(body: string | Uint8Array, bytesPerSecond: number, sleep: Sleep): ReadableStream<Uint8Array> {
  const pieces = piecesOf(body, bytesPerSecond, sleep);
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await pieces.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await pieces.return(undefined);
    },
  });
}

/** A handler as a function of the platform's `Request` and `Response`. */
export function fetchOf(handle: WireHandler, sleep: Sleep = timer): (request: Request) => Promise<Response> {
  return async (request) => {
    const { status, headers, cookies = [], body, pace } = await handle(wireRequestOf(request));
    const content = pace === undefined || body === null ? body : slowly(body, pace, sleep);
    const named = cookies.map((cookie): [string, string] => ['set-cookie', cookie]);
    return new Response(content, { status, headers: [...Object.entries(headers), ...named] });
  };
}

function wireRequestOf(request: Request): WireRequest {
  const { origin, pathname, search } = new URL(request.url);
  return {
    method: request.method,
    origin,
    target: pathname + search,
    header: (name) => request.headers.get(name),
    bytes: async (limit) => {
      const bytes = new Uint8Array(await request.arrayBuffer());
      return limit !== -1 && bytes.byteLength > limit ? null : bytes;
    },
  };
}
