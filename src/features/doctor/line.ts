// Checks of the address, its encryption, the clocks and the data centre.

import { AGREEING, aheadBy } from '../../base/clocks.ts';
import type { ApiFailure } from '../../base/errors.ts';
import { counted } from '../../base/text.ts';
import { isReadable } from '../../base/url.ts';
import type { ExchangeFailure } from '../../service/exchange.ts';
import { failuresOf, hasSpoken } from './blame.ts';
import { type CheckResult, ok, problem, unchecked, warning } from './finding.ts';
import type { Attempt, ServiceSeen, TargetSeen } from './observed.ts';

const EMULATOR = 'emulator:';
const CHECK_URL = 'check base_url: it ends before `/v3.6`';

const REMEDIES: { readonly [kind in ExchangeFailure['kind']]: string } = {
  timeout: 'check the network, and HTTPS_PROXY if there is a proxy; `request_timeout` says how long to wait',
  aborted: 'let it run to its end',
  refused: 'check host and port of base_url, and that something listens there',
  unreachable: 'check the network: a VPN or a firewall may be in the way',
  dns: 'check the name in base_url, and the network',
  tls: 'see encryption',
  proxy: 'check HTTPS_PROXY and NO_PROXY',
  reset: 'something on the way ends connections: a firewall, a proxy, or http where https is spoken',
  malformed: CHECK_URL,
  'too-large': CHECK_URL,
  other: 'check base_url and the network',
};

const BUSY = 'try again later, and give the x-debug-id, if there is one, to the support of the service';

/** Whether something usable answers at `base_url`. */
export function checkAddress({ baseUrl }: TargetSeen, { attempts, answers, noConnection }: ServiceSeen): CheckResult {
  if (noConnection !== null) return problem(noConnection, 'correct base_url, or what stands there');
  const [failure] = failuresOf('address', answers);
  if (failure !== undefined) return unreached(place(baseUrl), failure, attempts);
  if (attempts.length === 0) return unchecked('nothing was sent');
  const bad = attempts.filter(({ status }) => status === null || status === 429 || status >= 500).length;
  if (bad > 0)
    return warning(
      `${place(baseUrl)} answers, but ${bad} of ${counted(attempts.length, 'request')} had to be sent again`,
      'every request costs: if this goes on, look at the network and at how many programs use this account',
    );
  const times = attempts.map(({ sent, received }) => received - sent).sort((a, b) => a - b);
  const median = times[Math.floor(times.length / 2)] ?? 0;
  return ok(`${place(baseUrl)} answers in ${(median / 1000).toFixed(1)} s`);
}

function unreached(host: string, failure: ApiFailure, attempts: readonly Attempt[]): CheckResult {
  if (failure.type === 'aborted') return problem('the check was interrupted', REMEDIES.aborted);
  if (failure.status === null) {
    const lost = attempts.findLast((attempt) => attempt.failure !== null)?.failure ?? null;
    if (lost?.kind === 'tls') return unchecked('something listens there, but without encryption nothing was asked');
    return problem(`${host} does not answer: ${failure.message}`, REMEDIES[lost?.kind ?? 'other']);
  }
  const debug = failure.debugId === null ? '' : ` (x-debug-id ${failure.debugId})`;
  const message = `${host} answers ${failure.action} with ${failure.type}: ${failure.message}${debug}`;
  return problem(message, failure.type === 'protocol' ? `what answers is not this API: ${CHECK_URL}` : BUSY);
}

function place(baseUrl: string): string {
  return baseUrl.startsWith(EMULATOR) ? `the emulator of ${baseUrl.slice(EMULATOR.length)}` : new URL(baseUrl).host;
}

/** Whether other machines can read the token on its way. */
export function checkEncryption({ baseUrl }: TargetSeen, { attempts }: ServiceSeen): CheckResult {
  if (baseUrl.startsWith(EMULATOR)) return ok('the emulator runs in this process: nothing leaves it');
  if (!baseUrl.startsWith('https:')) {
    return isReadable(baseUrl)
      ? warning('every machine on the way can read the token', 'use https:// in base_url')
      : ok('none, and none is needed: nothing leaves this machine');
  }
  const failure = attempts.findLast((attempt) => attempt.failure?.kind === 'tls')?.failure;
  if (failure !== undefined && failure !== null)
    return problem(`the certificate is not trusted: ${failure.detail}`, certificateRemedy(failure.detail));
  if (attempts.some(({ status }) => status !== null)) return ok('TLS, with a certificate that is trusted');
  return unchecked('no connection came about');
}

function certificateRemedy(detail: string): string {
  if (/expired|not yet valid/i.test(detail))
    return 'check the clock of this machine; else the certificate must be renewed';
  if (/altnames|does not match/i.test(detail)) return 'the certificate is for another name: check the host in base_url';
  return 'if you trust its signer, name its certificate in NODE_EXTRA_CA_CERTS; if not, another machine may be reading along';
}

/** Milliseconds between two clocks from which they do harm: half the settle window. */
const SKEW_HARMS = 60_000;

/** How far the service's clock is ahead of ours at least, by its header and the times of the requests. */
export function clockSkew(attempts: readonly Attempt[]): number | null {
  const skews = attempts.flatMap(({ sent, received, date }) => {
    return date === null ? [] : [aheadBy(date, sent, received)];
  });
  return skews.length === 0 ? null : skews.reduce((most, skew) => (Math.abs(skew) > Math.abs(most) ? skew : most));
}

/** Whether the two clocks agree. */
export function checkClock({ attempts }: ServiceSeen): CheckResult {
  const skew = clockSkew(attempts);
  if (skew === null) return unchecked('no reply told the time');
  const off = `this machine's clock is ${Math.round(Math.abs(skew) / 1000)} s ${skew > 0 ? 'behind' : 'ahead of'} the service's`;
  const remedy = 'set the clock, or let NTP do it: the ledger needs it to know what was made a moment ago';
  if (Math.abs(skew) > SKEW_HARMS) return problem(off, remedy);
  return Math.abs(skew) > AGREEING ? warning(off, remedy) : ok("it agrees with the service's");
}

/** Whether requests go to the data centre of the license. `X-Region` is left out for `dal`. */
export function checkRegion({ attempts, answers }: ServiceSeen): CheckResult {
  const [failure] = failuresOf('region', answers);
  if (failure !== undefined)
    return problem(
      `no data centre has the license: ${failure.message}`,
      'use a token of the data centre that holds the license: its prefix says which, `dal:` or `fra:`',
    );
  if (!hasSpoken(answers)) return unchecked('the service did not answer');
  const [first = 'dal', last = first] = [attempts[0], attempts.at(-1)].map((attempt) => attempt?.region ?? 'dal');
  if (first === last) return ok(`requests go to ${last}`);
  return warning(
    `the license is in ${last}, and the token says ${first}: every run begins with a request that is refused`,
    `use a token that begins with \`${last}:\``,
  );
}
