// The rules as they were listed in, the rules as they are linked out; a chain that is broken stops everything that depends on the order.
// Specification: "States and transitions", auto access list.

import { ApiError } from '../base/errors.ts';
import type { Row } from './wire.ts';

function brokenChain(message: string): ApiError {
  return new ApiError({
    action: 'list_auto_accesses',
    type: 'broken_chain',
    message: `the list of rules is broken: ${message}. Planning stops, because the order of the rules is not known`,
    status: 200,
    ambiguous: false,
    debugId: null,
    retryAfter: null,
    data: null,
  });
}

/** Rows in the order of the linked list. `""`, `null` and absent all mean last; the order of the array means nothing. */
export function inOrder(rows: readonly Row[]): readonly Row[] {
  if (rows.length === 0) return [];
  const byId = new Map(rows.map((row) => [row.text('id'), row]));
  const next = (row: Row): string => (row.has('next_id') ? row.text('next_id') : '');
  const pointedAt = new Map<string, string>();
  for (const row of rows) {
    const target = next(row);
    if (target === '') continue;
    if (!byId.has(target)) throw brokenChain(`rule ${row.text('id')} points at ${target}, which does not exist`);
    const other = pointedAt.get(target);
    if (other !== undefined) throw brokenChain(`rules ${other} and ${row.text('id')} both point at ${target}`);
    pointedAt.set(target, row.text('id'));
  }
  const heads = rows.filter((row) => !pointedAt.has(row.text('id')));
  if (heads.length !== 1) throw brokenChain(heads.length === 0 ? 'it is a cycle' : `${heads.length} rules come first`);
  const ordered: Row[] = [];
  for (let row = heads[0]; row !== undefined; row = byId.get(next(row))) ordered.push(row);
  if (ordered.length !== rows.length) throw brokenChain('some rules form a cycle');
  return ordered;
}
