// One HTTP request in; its reply, or why there is none, out: the seam between the protocol and whatever carries it (the network, an emulator
// in this process). It must not know the API.

/** Headers are sent as they stand; `timeout` (milliseconds) bounds everything from connecting to the last byte of the reply. */
export interface ExchangeRequest {
  /** `POST` when left out; `GET` and `DELETE` have no body. */
  readonly method?: 'GET' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
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
  /** `connect`: no byte of the request left, so it took no effect; `sent`: it may have. */
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
  /** What the system said, for a person. */
  readonly detail: string;
}

/** Never rejects for what the network does: that is a `failure`. */
export type Exchange = (request: ExchangeRequest) => Promise<ExchangeReply | { readonly failure: ExchangeFailure }>;
