// One HTTP request and its reply: the seam between the protocol and its carrier, which is the network or an emulator in this process.

/** Headers are sent as they stand; `timeout` (milliseconds) bounds everything from connecting to the last byte of the reply. */
export interface ExchangeRequest {
  /** `POST` when left out; `GET` and `DELETE` have no body. */
  readonly method?: 'GET' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Sent in the place of `body`, while it is read. */
  readonly stream?: AsyncIterable<Uint8Array>;
  readonly timeout: number;
  readonly signal?: AbortSignal;
}

/** Header names are lower case. */
export interface ExchangeReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Why no whole reply arrived. */
export interface ExchangeFailure {
  /** `connect`: no byte of the request was sent, so it took no effect; `sent`: it may have. */
  readonly phase: 'connect' | 'sent';
  readonly kind:
    | 'timeout'
    | 'aborted'
    | 'refused'
    | 'unreachable'
    | 'dns'
    | 'tls'
    | 'proxy'
    | 'reset'
    | 'malformed'
    | 'too-large'
    | 'other';
  /** The system's message, for a person. */
  readonly detail: string;
}

/** A network error is a `failure`, never a rejection. */
export type Exchange = (request: ExchangeRequest) => Promise<ExchangeReply | { readonly failure: ExchangeFailure }>;
