// The `policies:` of chatform.yaml in; policies, or where their rules and names are wrong, out. A project without any never loads CEL.

import { isList, isObject } from '../../base/json.ts';
import type { Json, JsonObject, Policy } from '../../base/model.ts';
import type { Emit } from '../../yaml/collector.ts';
import type { Path } from '../../yaml/mark.ts';
import { at, type Located } from '../../yaml/wording.ts';
import type { Mistake } from './cel.ts';

/** Policies that fit the schema. */
export function policiesOf(value: Json | undefined): readonly Policy[] {
  return entriesOf(value).flatMap(([, { name, rule, level, message }]): readonly Policy[] => {
    if (typeof name !== 'string' || typeof rule !== 'string') return [];
    return [
      { name, rule, level: level === 'warn' ? 'warn' : 'deny', message: typeof message === 'string' ? message : null },
    ];
  });
}

function entriesOf(value: Json | undefined): readonly (readonly [number, JsonObject])[] {
  if (!isList(value)) return [];
  return value.flatMap((item, index) => (isObject(item) ? [[index, item] as const] : []));
}

interface Declared {
  readonly path: Path;
  readonly policy: JsonObject;
}

function declaredAt(value: Json | undefined, path: Path): readonly Declared[] {
  return entriesOf(value).map(([index, policy]) => ({ path: [...path, index], policy }));
}

/** Rules beyond the schema: every rule is CEL that knows `plan`, and no two policies of a target share a name. */
export async function checkPolicies(settings: JsonObject, emit: Emit): Promise<void> {
  const common = declaredAt(settings['policies'], ['policies']);
  const { targets } = settings;
  const own = (isObject(targets) ? Object.entries(targets) : []).map(([name, target]) =>
    declaredAt(isObject(target) ? target['policies'] : undefined, ['targets', name, 'policies']),
  );
  emit(repeatedNames(common, []));
  for (const policies of own) emit(repeatedNames(policies, common));
  const all = [...common, ...own.flat()];
  if (all.length === 0) return;
  const { readRule } = await import('./cel.ts');
  for (const { path, policy } of all) {
    const { rule } = policy;
    if (typeof rule !== 'string' || rule === '') continue;
    const { mistake } = await readRule(rule);
    if (mistake !== null) emit(badRule([...path, 'rule'], rule, mistake));
  }
}

function repeatedNames(policies: readonly Declared[], before: readonly Declared[]): readonly Located[] {
  const first = new Map<Json | undefined, Declared>();
  return [...before, ...policies].flatMap((declared): readonly Located[] => {
    const { path, policy } = declared;
    const other = first.get(policy['name']);
    if (other === undefined) first.set(policy['name'], declared);
    if (other === undefined || before.includes(declared) || policy['name'] === undefined) return [];
    const message = `two policies are called \`${String(policy['name'])}\``;
    const related = [{ path: [...other.path, 'name'], part: 'value' as const, message: 'the first one' }];
    return [{ ...at([...path, 'name'], 'value', 'duplicate-name', message, 'rename one of them'), related }];
  });
}

function badRule(path: Path, rule: string, { message, start, end }: Mistake): Located {
  const lines = rule.slice(0, start).split('\n');
  const where = rule.trim().includes('\n') ? `, in line ${lines.length} of the rule` : '';
  const remedy =
    'a rule is CEL, knows one variable, `plan`, which is what `chatform plan --json` prints, and gives true or false';
  const located = at(path, 'value', 'bad-rule', `${message}${where}`, remedy);
  const text = rule.slice(start, end);
  if (text === '' || text === rule) return located;
  return { ...located, within: { text, nth: occurrences(text, rule.slice(0, start + text.length - 1)) } };
}

/** How often a text stands in another, overlapping itself or not. */
function occurrences(text: string, whole: string): number {
  let count = 0;
  for (let index = whole.indexOf(text); index >= 0; index = whole.indexOf(text, index + 1)) count += 1;
  return count;
}
