// An emulator and randomness in; a service that goes wrong in every way there is, and repeats whatever it was told or has told while it does, out.

import type { Emulator } from '../../src/emulator/index.ts';

type Handler = Emulator['handle'];
type Asked = Parameters<Handler>[0];
type Answer = Awaited<ReturnType<Handler>>;

export interface Blabbing {
  readonly handle: Handler;
  /** How often an answer is spoilt, 0 to 1, and to which requests. */
  readonly spoil: (probability: number, to?: RegExp) => void;
  /** Another run begins, which knows nothing of what was told before. */
  readonly begin: () => void;
  /** Every secret that it gave to a new bot or template, whether or not the answer arrived. */
  readonly told: ReadonlySet<string>;
  /** Those whose answer arrived as it was meant. */
  readonly arrived: ReadonlySet<string>;
}

const TYPES = [
  ['too_many_requests', 429],
  ['internal', 500],
  ['validation', 400],
  ['authentication', 401],
  ['authorization', 403],
  ['not_found', 404],
  ['limit_reached', 403],
  ['misdirected_request', 421],
  ['service_unavailable', 503],
] as const;

/** Positions at which a long text might be cut, so that what stands there would be cut through. */
const CUTS = [0, 90, 150, 180, 195, 250, 290, 950, 990, 1_000, 50_000];

/** No answer of the Configuration API is in bytes. */
const textIn = ({ body }: Answer): string => (typeof body === 'string' ? body : '');

/** Every character as a code. */
const each = (text: string, write: (code: number) => string): string =>
  Array.from(text, (character) => write(character.charCodeAt(0))).join('');

function secretsIn(text: string): readonly string[] {
  return [...text.matchAll(/"secret":"([^"]+)"/g)].map(([, secret]) => String(secret));
}

export function blabbing(emulator: Emulator, random: () => number): Blabbing {
  const told = new Set<string>();
  const arrived = new Set<string>();
  const lately = new Set<string>();
  let probability = 0;
  let spoils = /./;
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;

  /** What is secret here and must not be repeated to whoever asks, in the forms in which a service may have it at hand. */
  function gossip(header: string, secrets: readonly string[]): string {
    const token = header.replace(/^\w+ /, '');
    const clear = header.startsWith('Basic ') ? Buffer.from(token, 'base64').toString() : token;
    const encoded = encodeURIComponent(clear);
    const forms = [
      header,
      clear,
      clear.slice(clear.lastIndexOf(':') + 1),
      encoded,
      encoded.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
      clear.replaceAll('/', '\\/'),
      Buffer.from(clear).toString('base64'),
      Buffer.from(clear).toString('base64url'),
      encodeURIComponent(Buffer.from(clear).toString('base64')),
      each(clear, (code) => `&#${code};`),
      each(clear, (code) => `&#x${code.toString(16)}`),
      each(clear, (code) => `%${code.toString(16)}`),
      each(clear, (code) => `%25${code.toString(16)}`),
      each(clear, (code) => `\\u${code.toString(16).padStart(4, '0')}`),
      Buffer.from(`Authorization: ${header}`).toString('base64'),
    ];
    const other = pick(secrets.length === 0 ? forms : secrets);
    return `${'x'.repeat(pick(CUTS))} ${pick(forms)} ${other} ${pick(['', 'y'.repeat(100_000)])}`;
  }

  /**
   * A client can know what its own run was told, once the answers have come: when it reads again. Of other secrets it can only know that they may be
   * in what answers a request for one.
   */
  function knowable({ target }: Asked, answer: Answer): readonly string[] {
    if (/(create|reset)_bot/.test(target)) return [textIn(answer), ...told];
    return /\/(list|get)_/.test(target) ? [...lately] : [];
  }

  function envelope(message: string): Answer {
    const [type, status] = pick(TYPES);
    const error = {
      type: pick([type, type, type, message]),
      message,
      ...pick([{}, { data: { region: message } }, { data: [message, { [message]: message }] }]),
    };
    return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ error }) };
  }

  /** Some slots of a batch fail, and say what became of the others. */
  function slots(message: string, answer: Answer): Answer {
    const { responses = null } = JSON.parse(textIn(answer) || '{}');
    if (!Array.isArray(responses)) return envelope(message);
    const spoilt = responses.map((slot) =>
      pick([slot, { error: { type: 'validation', message } }, { error: message }]),
    );
    return { ...answer, body: JSON.stringify({ responses: pick([spoilt, spoilt, spoilt.slice(1), message]) }) };
  }

  /** The right answer with its members in the wrong places. */
  function misshapen(answer: Answer): Answer {
    const text = textIn(answer);
    return pick([
      { ...answer, body: text.slice(0, Math.floor(random() * text.length)) },
      { ...answer, body: text.replaceAll(/"secret":("[^"]+")/g, '"secret":{"value":$1}') },
      { ...answer, body: text.replaceAll(/"id":"[^"]+",?/g, '') },
      { ...answer, body: JSON.stringify(text) },
      { ...answer, body: `[${text}]` },
      { ...answer, body: text.replaceAll('{"id"', `{"secret":"${[...told][0] ?? ''}","id"`) },
    ]);
  }

  async function spoilt(asked: Asked): Promise<Answer> {
    const header = asked.header('authorization') ?? '';
    // Half of what goes wrong goes wrong after it has taken effect.
    const answer = random() < 0.5 ? await right(asked) : { status: 500, headers: {}, body: '' };
    const message = gossip(header, knowable(asked, answer));
    const talkative = {
      ...answer.headers,
      'x-debug-id': gossip(header, [])
        .slice(0, 4_000)
        .replaceAll(/[^ -~]/g, ''),
    };
    switch (pick(['envelope', 'slots', 'page', 'misshapen', 'reset', 'headers'] as const)) {
      case 'envelope':
        return { ...envelope(message), ...pick([{}, { headers: talkative }]) };
      case 'slots':
        return slots(message, answer);
      case 'page':
        return { status: pick([200, 302, 403, 404, 502]), headers: {}, body: `<html>${message}</html>` };
      case 'misshapen':
        return misshapen(answer);
      case 'reset':
        throw Object.assign(new Error(message), { code: 'ECONNRESET' });
      case 'headers':
        return { ...answer, headers: { ...talkative, legacy: header, 'retry-after': header } };
    }
  }

  async function right(asked: Asked): Promise<Answer> {
    const answer = await emulator.handle(asked);
    for (const secret of secretsIn(textIn(answer))) told.add(secret);
    return answer;
  }

  return {
    told,
    arrived,
    begin: () => lately.clear(),
    spoil: (next, to = /./) => {
      probability = next;
      spoils = to;
    },
    handle: async (asked) => {
      if (spoils.test(asked.target) && random() < probability) return spoilt(asked);
      const answer = await right(asked);
      for (const secret of secretsIn(textIn(answer))) {
        arrived.add(secret);
        lately.add(secret);
      }
      return answer;
    },
  };
}
