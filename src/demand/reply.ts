// A reply of a report, read number by number. One that is not as the specification shows it is an error: it never counts as zero.

import { ApiError, unstatedFailure } from '../base/errors.ts';
import { isList, isObject } from '../base/json.ts';
import type { Json, JsonObject } from '../base/model.ts';
import { type Distribution, formOf, type ReportColumn, type ReportName, TIME } from './forms.ts';

export interface ReportRow {
  /** One for each dimension. */
  readonly keys: readonly string[];
  readonly values: { readonly [column: string]: number };
}

export interface ReportReply {
  /** In the order of the reply. A number that a record leaves out is zero. */
  readonly rows: readonly ReportRow[];
  /** Null where the reply states none. */
  readonly total: number | null;
  /** All agents together, in `agents/performance`. */
  readonly summary: { readonly [column: string]: number };
}

/**
 * Members that are not known are left out, unless they may be a known one under another name.
 * @throws ApiError of type `protocol`, with the place in the reply and what is expected there. Specification: "Resources and their fields"
 */
export function readReply(report: ReportName, reply: Json, distribution: Distribution): ReportReply {
  const strange: Strange = (path, problem) => strangeReply(report, `${pathText(path)} ${problem}`);
  if (!isObject(reply)) throw strange([], 'is no object');
  const form = formOf(report, distribution);
  const { columns } = form;
  const place = form.isSummary === true ? 'summary' : 'records';
  const records = report === 'chats/forms' ? reply[place] : objectAt(reply[place], [place], strange);
  const rows = isObject(records)
    ? report === 'chats/surveys'
      ? surveyRows(records, strange)
      : rowsIn(records, { ...form, place, isNested: distribution === 'day-hours' }, strange)
    : formRows(records, strange);
  const unit = report === 'agents/availability' ? 'hours' : 'count';
  const total = reply['total'] === undefined ? null : numberAt(reply['total'], ['total'], unit, strange);
  const summary =
    reply['summary'] === undefined || form.isSummary === true
      ? {}
      : valuesOf(objectAt(reply['summary'], ['summary'], strange), ['summary'], columns, strange, 'stated');
  requireAgreement(report, { rows, total, summary }, Object.keys(records ?? {}).length, distribution, strange);
  return { rows, total, summary };
}

/** A reply that no figure is taken from. */
export function strangeReply(report: ReportName, problem: string): ApiError {
  const message = `${problem}; chatform takes no figure from such a reply: see it with \`chatform api ${report} --reports\``;
  return new ApiError(unstatedFailure({ action: report, type: 'protocol', message }));
}

type Path = readonly string[];
type Strange = (path: Path, problem: string) => ApiError;

/** `records["2026-10-20 05:00"].count` */
function pathText(path: Path): string {
  const [first = 'the reply', ...rest] = path;
  return first + rest.map((name) => (/^\w+$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`)).join('');
}

/** Longest value that an error repeats. */
const LONGEST = 40;

function found(value: Json | undefined): string {
  if (value === undefined) return 'is missing';
  const text = typeof value === 'number' ? String(value) : JSON.stringify(value);
  return `is ${text.length > LONGEST ? `${text.slice(0, LONGEST)}...` : text}`;
}

function objectAt(value: Json | undefined, path: Path, strange: Strange): JsonObject {
  if (isObject(value)) return value;
  throw strange(path, `${found(value)}, and must be an object`);
}

/** A number that a double holds exactly to the unit. */
function numberAt(value: Json, path: Path, unit: ReportColumn['unit'], strange: Strange): number {
  const isRight =
    typeof value === 'number' &&
    value >= 0 &&
    value <= Number.MAX_SAFE_INTEGER &&
    (unit !== 'count' || value % 1 === 0);
  if (isRight) return value;
  throw strange(path, `${found(value)}, and must be a ${unit === 'count' ? 'whole ' : ''}number from 0 to 2^53 - 1`);
}

interface RecordForm extends ReturnType<typeof formOf> {
  /** The member of the reply that has the numbers. */
  readonly place: 'records' | 'summary';
  /** Hours can stand below their days. */
  readonly isNested: boolean;
}

/** Where hours stand below their days, both keys together are the first one. */
function rowsIn(
  records: JsonObject,
  { place, dimensions, columns, isNumber, isNested }: RecordForm,
  strange: Strange,
): readonly ReportRow[] {
  const levels = isNumber === true ? dimensions.length - 1 : dimensions.length;
  const mayNest = isNested && dimensions[0] === TIME;
  const hasParts = columns.some(({ name }) => name.includes('.'));
  const rows: ReportRow[] = [];
  const known = new Set<string>();
  let unknown: Path | null = null;
  const walk = (value: Json, keys: readonly string[]): void => {
    const path = [place, ...keys];
    const record = objectAt(value, path, strange);
    const members = Object.entries(record);
    const hasBelow = mayNest && keys.length === levels && members.length > 0 && Object.values(record).every(isObject);
    if (keys.length < levels || hasBelow) {
      for (const [name, member] of members) walk(member, [...keys, name]);
      return;
    }
    const named = keys.length <= levels ? keys : [keys.slice(0, 2).join(' '), ...keys.slice(2)];
    if (isNumber === true) {
      for (const [name, member] of members)
        rows.push({
          keys: [...named, name],
          values: { [columns[0]?.name ?? name]: numberAt(member, [...path, name], 'count', strange) },
        });
      return;
    }
    for (const { name } of columns) if (memberAt(record, name) !== undefined) known.add(name);
    for (const [name, member] of members) {
      const isColumn = columns.some((column) => column.name === name || column.name.startsWith(`${name}.`));
      if (!isColumn && (typeof member === 'number' || (hasParts && isObject(member)))) unknown ??= [...path, name];
    }
    rows.push({ keys: named, values: valuesOf(record, path, columns, strange, 'all') });
  };
  if (levels === 0) walk(records, []);
  else for (const [key, record] of Object.entries(records)) walk(record, [key]);
  const missing = columns.find(({ name }) => !known.has(name));
  if (unknown !== null && missing !== undefined)
    throw strange(unknown, `is not known, and may be ${missing.name}, which no record has`);
  return rows;
}

/** The value of a column: `queued.count` is a member of the member `queued`. */
function memberAt(record: JsonObject, name: string): Json | undefined {
  const [outer = '', inner] = name.split('.');
  const value = record[outer];
  return inner !== undefined && isObject(value) ? value[inner] : value;
}

/** The columns of a record, zero for those that it leaves out; or only those that it states. */
function valuesOf(
  record: JsonObject,
  path: Path,
  columns: readonly (ReportColumn & { readonly of?: string })[],
  strange: Strange,
  which: 'all' | 'stated',
): ReportRow['values'] {
  const values = Object.fromEntries(
    columns.flatMap(({ name, unit }): readonly (readonly [string, number])[] => {
      const value = memberAt(record, name);
      if (value === undefined) return which === 'all' ? [[name, 0]] : [];
      return [[name, numberAt(value, [...path, ...name.split('.')], unit, strange)]];
    }),
  );
  const lone = columns.find(({ name, of }) => of !== undefined && (values[name] ?? 0) > 0 && (values[of] ?? 0) === 0);
  if (lone !== undefined) throw strange([...path, lone.name], `is an average, and ${lone.of} is missing or 0`);
  return values;
}

/** One row for how often a survey was filled in, and one for each option that was selected. */
function surveyRows(records: JsonObject, strange: Strange): readonly ReportRow[] {
  const rows: ReportRow[] = [];
  const add = (keys: readonly string[], value: Json, path: Path): void => {
    rows.push({ keys, values: { times: numberAt(value, ['records', ...path], 'count', strange) } });
  };
  for (const [group, surveys] of Object.entries(records))
    for (const [survey, answers] of Object.entries(objectAt(surveys, ['records', group], strange)))
      for (const [field, options] of Object.entries(objectAt(answers, ['records', group, survey], strange)))
        if (field === 'count') add([group, survey, '', ''], options, [group, survey, field]);
        else
          for (const [option, value] of Object.entries(objectAt(options, ['records', group, survey, field], strange)))
            add([group, survey, field, option], value, [group, survey, field, option]);
  return rows;
}

/** The same rows of the list that later versions answer. */
function formRows(records: Json | undefined, strange: Strange): readonly ReportRow[] {
  const rows: ReportRow[] = [];
  const listAt = (value: Json | undefined, path: Path): readonly (readonly [JsonObject, Path])[] => {
    if (!isList(value)) throw strange(path, `${found(value)}, and must be a list`);
    return value.map((each, index) => [objectAt(each, [...path, String(index)], strange), [...path, String(index)]]);
  };
  const textAt = (record: JsonObject, name: string, path: Path): string => {
    const value = record[name];
    if (typeof value === 'string' || typeof value === 'number') return String(value);
    throw strange([...path, name], `${found(value)}, and must be an id`);
  };
  const add = (keys: readonly string[], { count = 0 }: JsonObject, path: Path): void => {
    rows.push({ keys, values: { times: numberAt(count, [...path, 'count'], 'count', strange) } });
  };
  for (const [form, path] of listAt(records, ['records'])) {
    const own = [textAt(form, 'group_id', path), textAt(form, 'form_id', path)];
    add([...own, '', ''], form, path);
    for (const [field, at] of listAt(form['fields'] ?? [], [...path, 'fields']))
      for (const [answer, place] of listAt(field['answers'] ?? [], [...at, 'answers']))
        add([...own, textAt(field, 'field_id', at), textAt(answer, 'answer_id', place)], answer, place);
  }
  return rows;
}

/** A reply that contradicts itself may have a part of its chats only. */
function requireAgreement(
  report: ReportName,
  { rows, total, summary }: ReportReply,
  records: number,
  distribution: Distribution,
  strange: Strange,
): void {
  const form = formOf(report, distribution);
  const first = form.columns[0]?.name ?? '';
  const sum = rows.reduce((all, { values }) => all + (values[first] ?? 0), 0);
  const isAnything = rows.some(({ values }) => Object.values(values).some((value) => value > 0));
  if (total !== null && form.total === 'sum' && total !== sum)
    throw strange(['total'], `is ${total}, and ${first} of the records adds up to ${sum}`);
  const isEmpty = form.total === undefined ? records === 0 : !isAnything;
  if (total !== null && total > 0 && isEmpty) throw strange(['total'], `is ${total}, and the records are empty`);
  const all = summary[first] ?? 0;
  if (all > 0 && sum === 0) throw strange(['summary', first], `is ${all}, and no record has any`);
}
