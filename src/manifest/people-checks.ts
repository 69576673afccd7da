// Mistakes of a table of people that no check of entries finds: columns, rows without an address, people with two declarations, credentials.

import { isCredential } from '../base/credentials.ts';
import { isObject } from '../base/json.ts';
import type { Diagnostic } from '../base/model.ts';
import { listed, nearest, plainName, slip } from '../base/nearest.ts';
import { personOf } from '../base/person.ts';
import { counted } from '../base/text.ts';
import { MEMBERSHIP } from '../kinds/index.ts';
import { diagnose, repeated } from '../yaml/diagnostics.ts';
import type { Path, PlaceMark } from '../yaml/places.ts';
import type { DataTable } from '../yaml/table.ts';
import type { FileLint } from './near-keys.ts';
import { type Composed, markOf } from './origin.ts';
import { cellOf, markIn, narrowed, type PeopleForm, type Person, repeatedGroup, usedColumns } from './people-rows.ts';
import { columnsIn } from './people-schema.ts';

const { kind: AGENT, field: GROUPS } = MEMBERSHIP.left;
const SECTION = AGENT.at[0] ?? '';

/** Columns that are not in the table, and two that say the same. */
export function wrongForm(
  form: PeopleForm,
  { columns, rows, diagnostics }: DataTable,
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
  if (rows.length === 0 && diagnostics.length > 0) return twice;
  const asked: readonly (readonly [column: string, mark: PlaceMark])[] = [
    [email, markAt('email')],
    ...(left === null ? [] : ([[left.column, markAt('left', 'column')]] as const)),
    ...[...form.columns].map(([field, column]) => [column, markAt('columns', field)] as const),
  ];
  const missing = asked.flatMap(([text, mark]) =>
    columnsIn(text).flatMap((column) => (columns.includes(column) ? [] : [[column, mark] as const])),
  );
  return [
    ...twice,
    ...missing.map(([column, mark]) => {
      const meant = isOutside ? null : nearest(column, columns);
      const known = isOutside ? 'write the name of a column of the table' : `the table has ${listed(columns)}`;
      const named = column === email ? `${known}; \`email\` names the one with the addresses` : known;
      const remedy = meant === null ? named : `did you mean \`${meant}\`? ${named}`;
      const message = `the table has no column \`${column}\``;
      return diagnose(narrowed(mark, column), { code: 'missing-field', message, remedy });
    }),
  ];
}

/** Tells once of the columns of a table that nothing uses. */
export function unusedColumns({ columns, headAt }: DataTable, used: readonly string[], lint: FileLint): Diagnostic[] {
  const unused = columns.filter((column) => !used.includes(column));
  if (unused[0] === undefined || lint.level === 'off') return [];
  const message = `nothing uses ${unused.length} of ${counted(columns.length, 'column')}: ${listed(unused)}`;
  const remedy = 'name those that count, or set `unused-column: off` under `routing: lint:` in chatform.yaml';
  return [diagnose(headAt(unused[0]), { code: 'unused-column', severity: lint.level, message, remedy })];
}

/** Mistakes of one row that no check of entries finds. */
export function wrongIn({ email, row }: Person, form: PeopleForm): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const [column, value] of Object.entries(row.values)) {
    if (isCredential(value)) {
      const message = 'a credential is in this file, where everyone with access to the project can read it';
      const mark = { ...row.markAt(column), excerpt: null };
      found.push(diagnose(mark, { code: 'not-allowed', message, remedy: 'revoke it, and remove it from the table' }));
    } else if (value.includes('${') && usedColumns(form).includes(column)) {
      const message = 'a table of people has no variables';
      found.push(diagnose(row.markAt(column), { code: 'bad-substitution', message, remedy: 'write the value out' }));
    }
  }
  if (email === '') {
    const remedy = 'write the e-mail address of the person, or remove the row';
    found.push(diagnose(markIn(row, form.email), { code: 'missing-field', message: 'the row has no address', remedy }));
  }
  const group = repeatedGroup(row, form);
  if (group !== null) {
    const mark = markIn(row, form.columns.get(GROUPS) ?? '');
    const message = `the row names the group \`${group}\` twice`;
    found.push(diagnose(mark, { code: 'duplicate-item', message, remedy: 'remove one of them' }));
  }
  const { column = '', values = [] } = form.left ?? {};
  const status = plainName(cellOf(row, column));
  const word = values.find((each) => Math.min(status.length, each.length) > 3 && slip(status, plainName(each)));
  if (word !== undefined) {
    const message = `this is nearly \`${word}\`, and the person stays`;
    const remedy = `write \`${word}\` if the person left`;
    found.push(diagnose(markIn(row, column), { code: 'not-allowed', severity: 'warning', message, remedy }));
  }
  return found;
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
