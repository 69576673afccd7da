// One WebSocket: the seam between the real-time interface and its carrier, which is the network or an emulator in this process.

import type { ExchangeFailure } from './exchange.ts';

/** What is asked for. Headers are sent as they stand; aborting `signal` gives up a connection that is being opened. */
export interface SocketRequest {
  /** Begins with `http:` or `https:`. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** What a connection tells. After `onEnd` it tells nothing. */
export interface SocketListener {
  readonly onMessage: (text: string) => void;
  /** The other end is gone, for whatever reason; not called for a connection that this end closes. */
  readonly onEnd: (detail: string) => void;
}

export interface Socket {
  readonly send: (text: string) => void;
  /** Resolves once the other end knows of it, or is gone. */
  readonly close: () => Promise<void>;
}

/** What opens connections. A connection that cannot be opened is a `failure`, never a rejection. */
export interface SocketCarrier {
  readonly open: (
    request: SocketRequest,
    listener: SocketListener,
  ) => Promise<Socket | { readonly failure: ExchangeFailure }>;
  /** Whether a message can be lost, so that its answer is waited for only so long. */
  readonly canLose: boolean;
}
