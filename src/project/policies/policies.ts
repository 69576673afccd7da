// The `policies:` of chatform.yaml, and the mistakes in them. A project without policies does not load CEL.

import { isList, isObject } from '../../base/json.ts';
import type { Json, JsonObject, Policy } from '../../base/model.ts';
import { at, type Emit, type PathDiagnostic, repeated } from '../../yaml/diagnostics.ts';
import type { Path } from '../../yaml/places.ts';
import type { RuleMistake } from './members.ts';

/** From a value that fits the schema. */
export function policiesOf(value: Json | undefined): readonly Policy[] {
  return policiesAt(value, []).flatMap(({ policy: { name, rule, level, message } }): readonly Policy[] => {
    if (typeof name !== 'string' || typeof rule !== 'string') return [];
    return [
      { name, rule, level: level === 'warn' ? 'warn' : 'deny', message: typeof message === 'string' ? message : null },
    ];
  });
}

interface PolicyAt {
  readonly path: Path;
  readonly policy: JsonObject;
}

function policiesAt(value: Json | undefined, path: Path): readonly PolicyAt[] {
  if (!isList(value)) return [];
  return value.flatMap((policy, index) => (isObject(policy) ? [{ path: [...path, index], policy }] : []));
}

/** Rules beyond the schema: each rule is CEL about `plan` and its `impact`, and no two policies of a target have the same name. */
export async function checkPolicies(settings: JsonObject, emit: Emit): Promise<void> {
  const common = policiesAt(settings['policies'], ['policies']);
  const { targets } = settings;
  const own = (isObject(targets) ? Object.entries(targets) : []).map(([name, target]) =>
    policiesAt(isObject(target) ? target['policies'] : undefined, ['targets', name, 'policies']),
  );
  emit(repeatedNames(common));
  for (const policies of own) emit(repeatedNames([...common, ...policies]).filter(({ path }) => path[0] === 'targets'));
  const all = [...common, ...own.flat()];
  if (all.length === 0) return;
  const { readRule } = await import('./cel.ts');
  for (const { path, policy } of all) {
    const { rule } = policy;
    if (typeof rule !== 'string' || rule === '') continue;
    const read = await readRule(rule);
    const mistake = read.mistake ?? read.unknown;
    if (mistake !== null) emit(badRule([...path, 'rule'], rule, mistake));
  }
}

function repeatedNames(policies: readonly PolicyAt[]): readonly PathDiagnostic[] {
  const nameOf = ({ policy: { name } }: PolicyAt): string | null => (name === undefined ? null : JSON.stringify(name));
  return repeated(policies, nameOf).map(({ item, first }) => {
    const message = `two policies are called \`${String(item.policy['name'])}\``;
    return {
      ...at([...item.path, 'name'], 'value', 'duplicate-name', message, 'rename one of them'),
      related: [{ path: [...first.path, 'name'], part: 'value', message: 'the first one' }],
    };
  });
}

function badRule(path: Path, rule: string, { message, start, end }: RuleMistake): PathDiagnostic {
  const lines = rule.slice(0, start).split('\n');
  const where = rule.trim().includes('\n') ? `, in line ${lines.length} of the rule` : '';
  const remedy =
    'write a CEL expression that is true or false; it knows `plan`, which is what `chatform plan --json` prints, and `impact`, which is `plan.impact`';
  const finding = at(path, 'value', 'bad-rule', `${message}${where}`, remedy);
  const text = rule.slice(start, end);
  if (text === '' || text === rule) return finding;
  return { ...finding, within: { text, nth: occurrences(text, rule.slice(0, start + text.length - 1)) } };
}

/** How often a text is in another one; occurrences may overlap. */
function occurrences(text: string, whole: string): number {
  let count = 0;
  for (let index = whole.indexOf(text); index >= 0; index = whole.indexOf(text, index + 1)) count += 1;
  return count;
}
