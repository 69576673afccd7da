// Tails of the beta-binomial distribution: how many of all events fall into one part of the time, when the rate of each part varies by itself.

/** How a total is expected to divide. */
export interface Division {
  readonly total: number;
  /** Of the part that is asked about, from 0 to 1. */
  readonly share: number;
  /** Sum of both parameters of the distribution; infinite for the binomial distribution. */
  readonly concentration: number;
}

/** Both include the number itself. */
export interface Tails {
  readonly atMost: number;
  readonly atLeast: number;
}

/** Terms that are smaller than this share of the first one change no digit that counts. */
const NEGLIGIBLE = 1e-17;

export function tails(events: number, division: Division): Tails {
  const { total, share } = division;
  const own = Math.exp(logMass(events, division));
  const side = (step: 1 | -1): number => {
    let [sum, mass] = [own, own];
    for (let at = events; at + step >= 0 && at + step <= total && mass > NEGLIGIBLE * own; at += step) {
      mass *= step === 1 ? ratio(at, division) : 1 / ratio(at - 1, division);
      sum += mass;
    }
    return Math.min(1, sum);
  };
  // The short tail is the precise one.
  if (events <= total * share) {
    const atMost = side(-1);
    return { atMost, atLeast: Math.min(1, 1 - atMost + own) };
  }
  const atLeast = side(1);
  return { atMost: Math.min(1, 1 - atLeast + own), atLeast };
}

/** Mass of `at + 1` divided by that of `at`. */
function ratio(at: number, { total, share, concentration }: Division): number {
  const counts = (total - at) / (at + 1);
  if (!Number.isFinite(concentration)) return (counts * share) / (1 - share);
  return (counts * (at + share * concentration)) / (total - at - 1 + (1 - share) * concentration);
}

function logMass(events: number, { total, share, concentration }: Division): number {
  const others = total - events;
  const ways = logGamma(total + 1) - logGamma(events + 1) - logGamma(others + 1);
  if (!Number.isFinite(concentration)) return ways + events * Math.log(share) + others * Math.log1p(-share);
  const [own, rest] = [share * concentration, (1 - share) * concentration];
  return ways + logBeta(events + own, others + rest) - logBeta(own, rest);
}

function logBeta(a: number, b: number): number {
  return logGamma(a) + logGamma(b) - logGamma(a + b);
}

/** From here on, Stirling's series has all digits. */
const LARGE = 10;

/** Natural logarithm of the gamma function of a positive number: Stirling's series. */
export function logGamma(x: number): number {
  let [at, product] = [x, 1];
  for (; at < LARGE; at += 1) product *= at;
  const square = 1 / (at * at);
  const series = (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square * (1 / 1680 - square / 1188)))) / at;
  return (at - 0.5) * Math.log(at) - at + Math.log(2 * Math.PI) / 2 + series - Math.log(product);
}
