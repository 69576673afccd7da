// Mistakes of a table of people that no check of entries finds: columns, rows without an address, people with two declarations, credentials.

import { isCredential } from '../base/credentials.ts';
import { isObject } from '../base/json.ts';
import type { Diagnostic } from '../base/model.ts';
import { listed, nearest } from '../base/nearest.ts';
import { personOf } from '../base/person.ts';
import { MEMBERSHIP } from '../kinds/index.ts';
import { diagnose, repeated } from '../yaml/diagnostics.ts';
import type { Path, PlaceMark } from '../yaml/places.ts';
import type { DataTable } from '../yaml/table.ts';
import { type Composed, markOf } from './origin.ts';
import { type PeopleForm, type Person, repeatedGroup } from './people-rows.ts';

const { kind: AGENT, field: GROUPS } = MEMBERSHIP.left;
const SECTION = AGENT.at[0] ?? '';

/** Columns that are not in the table, and two that say the same. */
export function wrongForm(
  form: PeopleForm,
  { columns, rows }: DataTable,
  isOutside: boolean,
  markAt: (...path: Path) => PlaceMark,
): readonly Diagnostic[] {
  const { email, left } = form;
  const retiring = Object.keys(AGENT.retired ?? {}).filter((field) => left !== null && form.columns.has(field));
  const twice = retiring.map((field) => {
    const message = `\`left\` decides about \`${field}\`, so no column can`;
    const remedy = `remove the line, or \`left\``;
    return diagnose(markAt('columns', field), { code: 'exclusive-fields', message, remedy });
  });
  if (rows.length === 0) return twice;
  const asked: readonly (readonly [column: string, mark: PlaceMark])[] = [
    [email, markAt('email')],
    ...(left === null ? [] : ([[left.column, markAt('left', 'column')]] as const)),
    ...[...form.columns].map(([field, column]) => [column, markAt('columns', field)] as const),
  ];
  const missing = asked.filter(([column]) => !columns.includes(column));
  return [
    ...twice,
    ...missing.map(([column, mark]) => {
      const meant = isOutside ? null : nearest(column, columns);
      const known = isOutside ? 'write the name of a column of the table' : `the table has ${listed(columns)}`;
      const named = column === email ? `${known}; \`email\` names the one with the addresses` : known;
      const remedy = meant === null ? named : `did you mean \`${meant}\`? ${named}`;
      return diagnose(mark, { code: 'missing-field', message: `the table has no column \`${column}\``, remedy });
    }),
  ];
}

/** Mistakes of one row that no check of entries finds. */
export function wrongIn({ email, row }: Person, form: PeopleForm): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const [column, value] of Object.entries(row.values)) {
    if (isCredential(value)) {
      const message = 'a credential is in this file, where everyone with access to the project can read it';
      const mark = { ...row.markAt(column), excerpt: null };
      found.push(diagnose(mark, { code: 'not-allowed', message, remedy: 'revoke it, and remove it from the table' }));
    } else if (value.includes('${') && isRead(column, form)) {
      const message = 'a table of people has no variables';
      found.push(diagnose(row.markAt(column), { code: 'bad-substitution', message, remedy: 'write the value out' }));
    }
  }
  if (email === '') {
    const remedy = 'write the e-mail address of the person, or remove the row';
    found.push(diagnose(row.markAt(form.email), { code: 'missing-field', message: 'the row has no address', remedy }));
  }
  const group = repeatedGroup(row, form);
  if (group !== null) {
    const mark = row.markAt(form.columns.get(GROUPS) ?? '');
    const message = `the row names the group \`${group}\` twice`;
    found.push(diagnose(mark, { code: 'duplicate-item', message, remedy: 'remove one of them' }));
  }
  return found;
}

function isRead(column: string, { email, columns, left }: PeopleForm): boolean {
  return column === email || column === left?.column || [...columns.values()].includes(column);
}

/** People with two rows, or with a row and an entry. */
export function declaredTwice(people: readonly Person[], { value, origin }: Composed): readonly Diagnostic[] {
  const markAt = ({ entry }: Person): PlaceMark => markOf(entry.origin, [], 'key');
  const rows = repeated(people, ({ email }) => (email === '' ? null : personOf(email))).map(({ item, first }) => {
    const message = `two rows are ${spelledTwice(item.email, first.email)}`;
    const related = [{ mark: markAt(first), message: 'the first one' }];
    return diagnose(markAt(item), { code: 'duplicate-declaration', message, remedy: 'remove one of them' }, related);
  });
  const section = value[SECTION];
  if (!isObject(section)) return rows;
  const keys = new Map(Object.keys(section).map((key) => [personOf(key), key]));
  const both = people.flatMap((person) => {
    const key = Object.hasOwn(section, person.email) ? person.email : keys.get(personOf(person.email));
    return key === undefined || person.email === '' ? [] : [{ person, key }];
  });
  const remedy = 'keep one of the two; to change a value for one target, use an overlay';
  return [
    ...rows,
    ...both.map(({ person, key }) => {
      const comma = person.email === key ? '' : ',';
      const message = `${spelledTwice(person.email, key)}${comma} is also declared under \`${SECTION}\``;
      const related = [{ mark: markOf(origin, [SECTION, key], 'key'), message: 'the other declaration' }];
      return diagnose(markAt(person), { code: 'duplicate-declaration', message, remedy }, related);
    }),
  ];
}

/** A person as it is written here, and where that differs in capitals, there. */
function spelledTwice(here: string, there: string): string {
  return here === there ? `\`${here}\`` : `\`${here}\`, which differs only in case from \`${there}\``;
}
