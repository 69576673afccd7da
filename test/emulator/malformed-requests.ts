// Requests that are wrong somewhere: accepted ones with a wrong member, ones that are wrong throughout, and texts that are no JSON.
// Knows no API.

import fc from 'fast-check';

const HOSTILE = ['', '\u0000', '\ud800', '${env.HOME}', '../../etc', "'; --", '__proto__', 'x'.repeat(5000)];

/** JSON whose members have these names, so that values land where they are looked at; some of its texts are `names` of objects. */
function jsonOf(members: readonly string[], names: readonly string[]) {
  return fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'medium', withCrossShrink: true },
      fc.constantFrom<unknown>(null, true, 0, -1, 1, 1.5, 1e308, 2 ** 53, -0, 20, 21),
      fc.oneof(fc.constantFrom(...HOSTILE, ...names), fc.string()),
      fc.array(tie('value'), { maxLength: 3 }),
      tie('members'),
    ),
    members: fc.dictionary(fc.oneof(fc.constantFrom(...members), fc.string()), tie('value'), { maxKeys: 5 }),
  }));
}

/** A copy of `value` in which one member, somewhere, is `change` instead. */
function changed(value: unknown, path: readonly number[], change: unknown): unknown {
  const [at, ...deeper] = path;
  if (at === undefined || typeof value !== 'object' || value === null) return change;
  const entries = Object.entries(value);
  if (entries.length === 0) return change;
  const [name] = entries[at % entries.length] ?? [''];
  const copy = entries.map(([key, member]) => [key, key === name ? changed(member, deeper, change) : member] as const);
  return Array.isArray(value) ? copy.map(([, member]) => member) : Object.fromEntries(copy);
}

const path = fc.array(fc.nat({ max: 5 }), { minLength: 1, maxLength: 5 });
const nested = fc.nat({ max: 3000 }).map((depth) => '{"requests":' + '['.repeat(depth) + ']'.repeat(depth) + '}');

/** Version, action and body of a request like one of these, which are accepted. */
export function malformedRequests<V extends string>(
  rows: readonly (readonly [V, string, object])[],
  members: readonly string[],
  names: readonly string[],
): fc.Arbitrary<readonly [V, string, string]> {
  const json = jsonOf([...members, '__proto__', 'constructor'], names);
  return fc.constantFrom(...rows).chain(([version, name, body]) => {
    const whole = JSON.stringify(body);
    const bent = fc.tuple(path, json.value).map(([at, value]) => JSON.stringify(changed(body, at, value)));
    const wild = json.members.map((value) => JSON.stringify(value));
    const cut = fc.nat().map((at) => whole.slice(0, at % whole.length));
    const texts = fc.oneof({ weight: 6, arbitrary: bent }, { weight: 3, arbitrary: wild }, cut, fc.string(), nested);
    return texts.map((text) => [version, name, text] as const);
  });
}
