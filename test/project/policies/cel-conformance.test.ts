// The parts of the CEL specification (cel-spec, doc/langdef.md) that rules are made of. An error counts wherever it shows, at the check or later: both
// deny a plan.

import { describe, expect, test } from 'vitest';
import { readRule } from '../../../src/project/policies/cel.ts';

type Outcome = 'true' | 'false' | 'error';

/** As a plan arrives: whole numbers are bigints. */
const PLAN = { total: 3n, ratio: 0.5, name: 'shop', none: null, list: [1n, 2n, 3n], objects: { a: { n: 1n }, b: {} } };

async function outcomeOf(rule: string): Promise<Outcome> {
  const read = await readRule(rule);
  if (read.mistake !== null) return 'error';
  try {
    const answer = read.ask(PLAN);
    return answer === true ? 'true' : answer === false ? 'false' : 'error';
  } catch {
    return 'error';
  }
}

/** By the heading of the specification. */
const RULES: { readonly [part: string]: { readonly [rule: string]: Outcome } } = {
  'Logical operators: an error gives way to what decides': {
    'true && true': 'true',
    'true && false': 'false',
    'false || false': 'false',
    'false || true': 'true',
    'false && plan.nope': 'false',
    'plan.nope && false': 'false',
    'true || plan.nope': 'true',
    'plan.nope || true': 'true',
    'true && plan.nope': 'error',
    'plan.nope && true': 'error',
    'false || plan.nope': 'error',
    'plan.nope || false': 'error',
    '1 / 0 > 1 && false': 'false',
    '1 / 0 > 1 || true': 'true',
    '!true': 'false',
    '!!true': 'true',
    '!plan.nope': 'error',
    '!plan.total': 'error',
    'plan.total && true': 'error',
    'plan.name || false': 'error',
  },
  'Conditional: one branch is evaluated': {
    'true ? true : plan.nope': 'true',
    'false ? plan.nope : true': 'true',
    'plan.nope ? true : true': 'error',
    'plan.total ? true : true': 'error',
    'true ? false : true ? true : true': 'false',
  },
  Precedence: {
    'true || true && false': 'true',
    '(true || true) && false': 'false',
    '!true || true': 'true',
    '!(true || true)': 'false',
    '1 + 2 * 3 == 7': 'true',
    '(1 + 2) * 3 == 9': 'true',
    '10 - 2 - 3 == 5': 'true',
    '2 * 3 % 4 == 2': 'true',
    '-2 - -3 == 1': 'true',
    '1 in [1] && 2 > 1': 'true',
    '1 == 1 ? false : true': 'false',
  },
  'Numeric values: whole numbers of 64 bits, and no silent overflow': {
    '7 / 2 == 3': 'true',
    '-7 / 2 == -3': 'true',
    '-7 % 2 == -1': 'true',
    '7 % -2 == 1': 'true',
    '1 / 0 == 0': 'error',
    '1 % 0 == 0': 'error',
    '9223372036854775807 + 1 > 0': 'error',
    '-9223372036854775808 - 1 < 0': 'error',
    '9223372036854775807 * 2 > 0': 'error',
    '9007199254740993 == 9007199254740992': 'false',
    '2u - 3u == 0u': 'error',
    '0x1F == 31': 'true',
    '1e3 == 1000.0': 'true',
    '1.0 / 0.0 > 1e308': 'true',
    '0.1 + 0.2 == 0.3': 'false',
    '1 + 1.0 == 2.0': 'error',
    'plan.total + 1 == 4': 'true',
    'plan.total * 100 <= 20 * size(plan.list)': 'false',
  },
  'Equality and ordering: numbers compare by value, other types do not mix': {
    'plan.total == 3': 'true',
    'plan.total == 3.0': 'true',
    'plan.total < 3.5': 'true',
    'plan.ratio < 1': 'true',
    'plan.total == "3"': 'false',
    'plan.total < "4"': 'error',
    'plan.none == null': 'true',
    'plan.total == null': 'false',
    'plan.none < 1': 'error',
    '"a" < "b"': 'true',
    '"Z" < "a"': 'true',
    '"a" < "aa"': 'true',
    'false < true': 'true',
    '[1, 2] == [1, 2]': 'true',
    '[1, 2] == [2, 1]': 'false',
    '[1, 2] == [1, 2, 3]': 'false',
    '{"a": 1, "b": 2} == {"b": 2, "a": 1}': 'true',
    '{"a": 1} == {"a": 2}': 'false',
    '{"a": 1} == {"b": 1}': 'false',
    'plan.objects.a == {"n": 1}': 'true',
  },
  'Lists and maps': {
    'plan.list[0] == 1': 'true',
    'plan.list[3] == 1': 'error',
    'plan.list[-1] == 3': 'error',
    'plan.objects["a"].n == 1': 'true',
    'plan.objects["c"] == null': 'error',
    'plan.objects.c == null': 'error',
    'plan.objects.a.n == 1': 'true',
    'plan.objects.b.n == 1': 'error',
    '2 in plan.list': 'true',
    '4 in plan.list': 'false',
    '"2" in plan.list': 'false',
    '"a" in plan.objects': 'true',
    '"c" in plan.objects': 'false',
    '"constructor" in plan.objects': 'false',
    '"toString" in plan.name': 'error',
    'plan.list.length == 3': 'error',
    'plan.objects.hasOwnProperty("a")': 'error',
    'size(plan.list) == 3 && plan.list.size() == 3': 'true',
    'size(plan.objects) == 2': 'true',
    '[1] + [2] == [1, 2]': 'true',
  },
  'Macro has': {
    'has(plan.name)': 'true',
    'has(plan.none)': 'true',
    'has(plan.nope)': 'false',
    'has(plan.objects.b.n)': 'false',
    'has(plan.nope.n)': 'error',
    'has(plan.constructor)': 'false',
    'has(plan.__proto__)': 'false',
    'has(plan["name"])': 'error',
  },
  'Macro all: as joined by &&': {
    'plan.list.all(x, x > 0)': 'true',
    'plan.list.all(x, x > 1)': 'false',
    'plan.list.all(x, 6 / (2 - x) == 6)': 'false',
    'plan.list.all(x, 6 / (2 - x) != 17)': 'error',
    'plan.list.filter(x, x > 9).all(x, x > 0)': 'true',
    'plan.list.all(x, plan.nope)': 'error',
    'plan.list.all(x, 1)': 'error',
    'plan.objects.all(k, k in ["a", "b"])': 'true',
  },
  'Macro exists: as joined by ||': {
    'plan.list.exists(x, x == 3)': 'true',
    'plan.list.exists(x, x > 3)': 'false',
    '[].exists(x, true)': 'false',
    'plan.list.exists(x, 6 / (2 - x) == -6)': 'true',
    'plan.list.exists(x, 6 / (2 - x) == 17)': 'error',
    'plan.objects.exists(k, k == "b")': 'true',
    'plan.list.exists(x, [1, 2].exists(y, x + y == 5))': 'true',
    'plan.list.exists(x, [9].exists(x, x == 3))': 'false',
    'plan.list.exists(x, true) && x == 1': 'error',
  },
  'Macros exists_one, filter and map: an error is an error': {
    'plan.list.exists_one(x, x == 2)': 'true',
    'plan.list.exists_one(x, x > 1)': 'false',
    'plan.list.exists_one(x, 6 / (2 - x) == 6)': 'error',
    'plan.list.filter(x, x > 1) == [2, 3]': 'true',
    'plan.list.filter(x, x > 9) == []': 'true',
    'plan.list.filter(x, 6 / (2 - x) > 0).size() == 1': 'error',
    'plan.list.map(x, x * 2) == [2, 4, 6]': 'true',
    'plan.list.map(x, x > 1, x * 2) == [4, 6]': 'true',
    'plan.list.map(x, 6 / (2 - x)).size() == 3': 'error',
    'plan.objects.filter(k, k == "a") == ["a"]': 'true',
  },
  'Texts: of code points': {
    'plan.name.startsWith("sh") && plan.name.endsWith("op") && plan.name.contains("ho")': 'true',
    'plan.name.contains("")': 'true',
    'plan.name.startsWith("S")': 'false',
    'plan.total.startsWith("3")': 'error',
    '"a" + "b" == "ab"': 'true',
    'plan.name + 1 == "shop1"': 'error',
    'size("é😀") == 2': 'true',
    '"\\x41\\101\\u0041\\U00000041" == "AAAA"': 'true',
    'r"\\n".size() == 2': 'true',
    '\'a"b\' == "a\\"b"': 'true',
    '"""a"b""" == "a\\"b"': 'true',
    '"é" == "e\\u0301"': 'false',
  },
  'Patterns: found anywhere, unless anchored': {
    'plan.name.matches("ho")': 'true',
    'plan.name.matches("^ho")': 'false',
    'plan.name.matches("^sh.p$")': 'true',
    'plan.name.matches("(")': 'error',
  },
  Conversions: {
    'int("42") == 42': 'true',
    'int("x") == 1': 'error',
    'int(3.9) == 3': 'true',
    'int(-3.9) == -3': 'true',
    'uint(-1) == 1u': 'error',
    'double("1.5") == 1.5': 'true',
    'double(plan.total) == 3.0': 'true',
    'string(plan.total) == "3"': 'true',
    'string(true) == "true"': 'true',
    'bool("true")': 'true',
    'type(plan.total) == int': 'true',
    'type(plan.name) == type(plan.total)': 'false',
  },
  Times: {
    'timestamp("2026-01-01T00:00:00Z") < timestamp("2026-01-02T00:00:00Z")': 'true',
    'timestamp("2026-01-02T00:00:00Z") - timestamp("2026-01-01T00:00:00Z") == duration("24h")': 'true',
    'timestamp("2026-01-01T23:30:00Z").getHours() == 23': 'true',
    'timestamp("2026-01-01T23:30:00Z").getHours("Europe/Berlin") == 0': 'true',
    'timestamp("2026-01-04T12:00:00Z").getDayOfWeek() == 0': 'true',
    'timestamp("yesterday") < timestamp("2026-01-02T00:00:00Z")': 'error',
  },
  'Optional values': {
    'plan.?nope.orValue(true)': 'true',
    'plan.objects[?"c"].orValue(1) == 1': 'true',
    'plan.?objects.?a.?n.orValue(9) == 1': 'true',
    'plan.?total.hasValue()': 'true',
    'plan.?nope.hasValue()': 'false',
  },
  // Specified are: an error, an error, an error, true and true. So a rule is refused that could pass, or a number that is too large is itself.
  'Where the library differs': {
    '9223372036854775808 > 0': 'true',
    'int(1e30) > 9223372036854775807': 'true',
    '{"a": 1, "a": 2}.size() == 1': 'true',
    '[].all(x, x > 0)': 'error',
    'matches(plan.name, "s[a-z]+")': 'error',
  },
  'What is no rule': {
    '': 'error',
    'true true': 'error',
    nope: 'error',
    'nope()': 'error',
    plan: 'error',
    '1 + 1': 'error',
    '"true"': 'error',
    'plan.total = 3': 'error',
    'plan.list.all(1, true)': 'error',
    'true // and nothing else': 'true',
  },
};

describe.each(Object.entries(RULES))('%s', (_, rules) => {
  test('has the outcomes that stand here', async () => {
    const outcomes = await Promise.all(Object.keys(rules).map(async (rule) => [rule, await outcomeOf(rule)] as const));
    expect(Object.fromEntries(outcomes)).toEqual(rules);
  });
});
