// `targets_from:` of chatform.yaml: the targets that a list, a directory of files or a table names, one row each. Opens no file but those that it names.

import { globPattern } from '../base/glob.ts';
import { isList, isObject } from '../base/json.ts';
import type { Diagnostic, Json } from '../base/model.ts';
import { diagnose, namedHere, repeated } from '../yaml/diagnostics.ts';
import type { ParsedText } from '../yaml/parse.ts';
import type { Path, PlaceMark, Source } from '../yaml/places.ts';
import { type FileSystem, pathIn, readFile } from '../yaml/read.ts';
import { readTable } from '../yaml/table.ts';
import { TARGET_NAME } from './schema/targets.ts';
import { credentialPaths, credentialRefused } from './secrets-in-text.ts';

/** What a row says about the target that it names. */
export interface SourceRow {
  readonly name: string;
  /** Values of `${row.NAME}`, `name` among them. */
  readonly values: { readonly [name: string]: string };
  /** Where a value is written; the whole row for one that it does not have. */
  readonly markAt: (name: string) => PlaceMark;
}

export interface TargetRows {
  readonly rows: readonly SourceRow[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Values with their places and how they are written. */
type Written = Pick<ParsedText, 'source' | 'written'>;

/** The rows of what `given` names, as far as it fits the schema. `project`: chatform.yaml. */
export async function targetRows(given: Json | undefined, project: Written, io: FileSystem): Promise<TargetRows> {
  const { rows, diagnostics } = await rowsOf(given, project, io);
  const wrong = [...diagnostics, ...rows.flatMap(wrongIn), ...doubled(rows)];
  return { rows: wrong.length > 0 ? [] : rows, diagnostics: wrong };
}

async function rowsOf(given: Json | undefined, project: Written, io: FileSystem): Promise<TargetRows> {
  const { source } = project;
  const { list, directory, csv } = isObject(given) ? given : {};
  const here = (from: string): PlaceMark => source.mark(['targets_from', from], 'value');
  if ([list, directory, csv].filter((each) => each !== undefined).length > 1)
    return { rows: [], diagnostics: [exclusive(source.mark(['targets_from'], 'key'))] };
  if (typeof csv === 'string' && csv !== '') return tableRows(pathIn(source.file, csv), here('csv'), given, io);
  if (typeof directory === 'string' && directory !== '')
    return fileRows(pathIn(source.file, directory), here('directory'), io);
  const items = isList(list) ? [...list.entries()] : [];
  const rows = items.flatMap(([index, item]) =>
    isObject(item) && item['name'] !== undefined ? [rowOf(item, project, ['targets_from', 'list', index])] : [],
  );
  return { rows, diagnostics: [] };
}

async function tableRows(path: string, here: PlaceMark, named: Json | undefined, io: FileSystem): Promise<TargetRows> {
  const { rows, diagnostics } = await readTable(path, { named, required: ['name'] }, io, here);
  const isEmpty = rows.length === 0 && diagnostics.length === 0;
  return {
    rows: rows.map(({ values, markAt }) => ({ name: values['name'] ?? '', values, markAt })),
    diagnostics: isEmpty ? [noTargets(`${path} has no row`, here)] : diagnostics,
  };
}

async function fileRows(pattern: string, here: PlaceMark, io: FileSystem): Promise<TargetRows> {
  const files = await matching(pattern, io);
  if (files.length === 0) return { rows: [], diagnostics: [noTargets(`no file matches ${pattern}`, here)] };
  const rows: SourceRow[] = [];
  const found: Diagnostic[] = [];
  for (const file of files) {
    const parsed = await readFile(file, io);
    if (!('source' in parsed)) {
      found.push(namedHere(parsed, here));
      continue;
    }
    const { value, diagnostics } = parsed;
    const wrong = diagnostics.length > 0 ? diagnostics : wrongRow(value, parsed.source);
    if (wrong.length === 0) rows.push(rowOf(value, parsed, []));
    found.push(...wrong);
  }
  return { rows, diagnostics: found };
}

/** A value of a row is a text: the digits of a number stay as they are written. */
function rowOf(value: Json, { source, written }: Written, path: Path): SourceRow {
  const members = isObject(value) ? Object.entries(value) : [];
  const textOf = (name: string, member: Json): string => {
    const text = typeof member === 'string' ? '' : written([...path, name]);
    // A tag can make a number of what stands in quotes.
    return /^[\w.+-]+$/.test(text) ? text : String(member);
  };
  const values = Object.fromEntries(members.map(([name, member]) => [name, textOf(name, member)]));
  const markAt = (name: string): PlaceMark =>
    source.mark(Object.hasOwn(values, name) ? [...path, name] : path, 'value');
  return { name: values['name'] ?? '', values, markAt };
}

/** What the schema says of rows in chatform.yaml, for one in a file of its own. */
function wrongRow(value: Json, { mark }: Source): readonly Diagnostic[] {
  if (!isObject(value) || value['name'] === undefined) {
    const remedy = 'write `name: ` and the name of the target';
    return [diagnose(mark([], 'value'), { code: 'missing-field', message: 'the target has no `name`', remedy })];
  }
  return Object.entries(value).flatMap(([name, member]) => {
    if (member !== null && typeof member !== 'object') return [];
    const message = `\`${name}\` is not a text, a number or a flag`;
    return [diagnose(mark([name], 'value'), { code: 'wrong-type', message, remedy: 'write one value' })];
  });
}

function wrongIn(row: SourceRow): readonly Diagnostic[] {
  const { name, values, markAt } = row;
  const found = credentialPaths(values).map((path) => credentialRefused(path, markAt(String(path[0]))));
  for (const [column, value] of Object.entries(values)) {
    if (!value.includes('${')) continue;
    const remedy = 'write the value out';
    found.push(diagnose(markAt(column), { code: 'bad-substitution', message: 'a row has no variables', remedy }));
  }
  if (!TARGET_NAME.test(name)) {
    const message = name === '' ? 'the target has no name' : `\`${name}\` is not the name of a target`;
    const remedy = 'use letters, digits, `.`, `_` and `-`';
    found.push(diagnose(markAt('name'), { code: 'bad-format', message, remedy }));
  }
  return found;
}

function doubled(rows: readonly SourceRow[]): readonly Diagnostic[] {
  return repeated(rows, ({ name }) => name).map(({ item, first }) => {
    const message = `two targets are called \`${item.name}\``;
    const related = [{ mark: first.markAt('name'), message: 'the first one' }];
    return diagnose(item.markAt('name'), { code: 'duplicate-name', message, remedy: 'rename one of them' }, related);
  });
}

/** An empty list is rather a mistake than a wish: every license would seem to have left. */
function noTargets(what: string, here: PlaceMark): Diagnostic {
  const remedy = 'correct the name, or remove `targets_from`';
  return diagnose(here, { code: 'too-short', message: `${what}, so there is no target`, remedy });
}

/** The files that a pattern matches, sorted. */
async function matching(pattern: string, io: FileSystem): Promise<readonly string[]> {
  const [first = '', ...rest] = pattern.split('/');
  let found: readonly string[] = [''];
  for (const [index, part] of [first, ...rest].entries()) {
    const next: string[] = [];
    for (const folder of found) {
      const below = (name: string): string => (index === 0 ? name : `${folder}/${name}`);
      if (!part.includes('*')) next.push(below(part));
      else next.push(...(await namesIn(index === 0 ? '.' : folder, part, io)).map(below));
    }
    found = next;
  }
  const files: string[] = [];
  for (const file of found) if (await isFile(file, io)) files.push(file);
  return files.sort();
}

/** Hidden files are no match of a `*`, as in a shell. */
async function namesIn(folder: string, part: string, io: FileSystem): Promise<readonly string[]> {
  const pattern = globPattern(part);
  try {
    const names = await io.list(folder === '' ? '/' : folder);
    return names.filter((name) => pattern.test(name) && !name.startsWith('.'));
  } catch {
    return [];
  }
}

async function isFile(path: string, io: FileSystem): Promise<boolean> {
  try {
    return !(await io.isDirectory(path));
  } catch {
    return false;
  }
}

function exclusive(mark: PlaceMark): Diagnostic {
  const message = '`list`, `directory` and `csv` cannot be combined';
  return diagnose(mark, { code: 'exclusive-fields', message, remedy: 'keep one of them' });
}
