// WebSockets over the network, by undici. Import it lazily: few commands need one, and undici takes time to load.

import { type Dispatcher, WebSocket } from 'undici';
import type { ExchangeFailure } from './exchange.ts';
import { describeError, kindOfError } from './http.ts';
import type { Socket, SocketListener, SocketRequest } from './socket.ts';

/** Milliseconds for the other end to agree to the end of a connection. */
const CLOSE_TIMEOUT = 1_000;

/** Why a handshake failed, which undici's WebSocket does not tell. */
interface HandshakeEnd {
  failure: ExchangeFailure | null;
}

/** Every connection goes through `dispatcher`, so proxies and certificates are those of all other requests. */
export function openWebSocket(
  dispatcher: Dispatcher,
  { url, headers, signal }: SocketRequest,
  { onMessage, onEnd }: SocketListener,
): Promise<Socket | { readonly failure: ExchangeFailure }> {
  const seen: HandshakeEnd = { failure: null };
  const aborted: ExchangeFailure = { phase: 'connect', kind: 'aborted', detail: 'interrupted' };
  if (signal.aborted) return Promise.resolve({ failure: aborted });
  const socket = new WebSocket(url.replace(/^http/, 'ws'), {
    dispatcher: dispatcher.compose(watchHandshake(seen)),
    headers: { ...headers },
  });
  return new Promise((resolve) => {
    let isClosing = false;
    let closed = (): void => {};
    const whenClosed = new Promise<void>((done) => {
      closed = done;
    });
    const abort = (): void => {
      resolve({ failure: aborted });
      socket.close();
    };
    signal.addEventListener('abort', abort, { once: true });
    socket.addEventListener('message', ({ data }) => onMessage(String(data)));
    // An end without a close frame is an error also, and `close` follows it.
    socket.addEventListener('error', () => {});
    socket.addEventListener('open', () => {
      signal.removeEventListener('abort', abort);
      resolve({
        send: (text) => socket.send(text),
        close: async () => {
          isClosing = true;
          socket.close(1000);
          const timer = setTimeout(closed, CLOSE_TIMEOUT).unref();
          await whenClosed;
          clearTimeout(timer);
        },
      });
    });
    socket.addEventListener('close', ({ code, reason }) => {
      signal.removeEventListener('abort', abort);
      closed();
      const lost: ExchangeFailure = { phase: 'sent', kind: 'reset', detail: 'the connection was closed' };
      resolve({ failure: seen.failure ?? lost });
      if (!isClosing) onEnd(`the connection was closed (${[code, reason].filter(Boolean).join(' ')})`);
    });
  });
}

/** Notes why a handshake ends without a WebSocket: an error of the network, or a status. */
function watchHandshake(seen: HandshakeEnd): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) =>
    dispatch(options, {
      onRequestStart: (...event) => handler.onRequestStart?.(...event),
      onRequestUpgrade: (...event) => handler.onRequestUpgrade?.(...event),
      onResponseStart(controller, status, ...event) {
        const detail = `HTTP ${status} in the place of a WebSocket`;
        seen.failure = { phase: 'sent', kind: 'malformed', detail };
        handler.onResponseStart?.(controller, status, ...event);
      },
      onResponseData: (...event) => handler.onResponseData?.(...event),
      onResponseEnd: (...event) => handler.onResponseEnd?.(...event),
      onResponseError(controller, error) {
        seen.failure ??= { phase: 'connect', kind: kindOfError(error), detail: describeError(error) };
        handler.onResponseError?.(controller, error);
      },
    });
}
