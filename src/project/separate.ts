// What each target must have for itself: its license, and the files that chatform writes for it.

import { fileKey } from '../base/disk.ts';
import type { JsonObject } from '../base/model.ts';
import { addressKey, isThisMachine, parsedUrl } from '../base/url.ts';
import { type Composed, originOf } from '../manifest/origin.ts';
import { at, type Emit, type PathDiagnostic, repeated } from '../yaml/diagnostics.ts';
import type { Path } from '../yaml/places.ts';
import { pathIn } from '../yaml/read.ts';
import { type FileNoun, fileFinder, fileTitle, isOwn, type NamedFile } from './files.ts';
import { EMULATOR, PRESETS } from './settings.ts';

interface Target {
  readonly name: string;
  readonly settings: Composed;
}

interface Project {
  /** Path of chatform.yaml. */
  readonly file: string;
  readonly files: readonly NamedFile[];
  readonly targets: readonly Target[];
  /** Whether a target is made of a row. */
  readonly isRow: (target: string) => boolean;
  readonly env: { readonly [name: string]: string | undefined };
}

export function checkSeparate(project: Project, emit: Emit): void {
  const { files, isRow } = project;
  const find = fileFinder(files);
  const found = files.flatMap((item) => {
    const first = find(item.path);
    if (first === null || first === item || !(isOwn(item) || isOwn(first))) return [];
    // What each target keeps in its license is one mistake: two targets of one license.
    return item.noun === 'license' && first.noun === 'license' ? [] : [taken(item, first, isRow)];
  });
  emit([...found, ...sharedLicenses(project)]);
}

/** Ownership on one license means nothing on another, and the secret of one bot would replace that of another with its address. */
function taken(item: NamedFile, first: NamedFile, isRow: Project['isRow']): PathDiagnostic {
  const isShared = item.noun === first.noun;
  const message = isShared
    ? `target \`${item.target}\` has the ${item.noun} of target \`${first.target}\`, which is another license`
    : `${fileTitle(item)} is also ${fileTitle(first)}`;
  const remedy = isShared ? remedyOf(item.noun) : 'chatform would write into it: name another file';
  return naming(at(item.at, 'value', 'contradiction', message, remedy), [item.target, first.target], isRow);
}

function remedyOf(noun: FileNoun): string {
  return noun === 'ledger'
    ? 'give each license its own ledger'
    : 'give each license its own file, such as ".chatform/${target.name}.secrets.json" under `defaults`';
}

/** The finding with the places of the targets. */
function naming(found: PathDiagnostic, targets: readonly (string | null)[], isRow: Project['isRow']): PathDiagnostic {
  const related = [...new Set(targets)].flatMap((name) =>
    name === null
      ? []
      : [{ path: ['targets', name], part: isRow(name) ? 'value' : 'key', message: `target \`${name}\`` } as const],
  );
  return { ...found, related };
}

/** What makes two targets one license. */
interface LicenseMark {
  readonly target: string;
  readonly key: string;
  readonly why: string;
  readonly at: Path;
}

/** All objects would be made twice on one license, or taken from one ledger by the other. */
function sharedLicenses({ file, targets, isRow, env }: Project): readonly PathDiagnostic[] {
  const reported = new Set<string>();
  const marks = targets.flatMap((target) => licenseMarks(target, file, env));
  return repeated(marks, ({ key }) => key).flatMap(({ item, first }) => {
    if (reported.has(item.target) || item.target === first.target) return [];
    reported.add(item.target);
    const message = `target \`${item.target}\` is the license of target \`${first.target}\`: ${item.why}`;
    const remedy = item.key.startsWith(FILE)
      ? 'give each license its own file, such as "emulator:.chatform/${target.name}.json"'
      : 'one license is one target; give each license the name of its own token, such as `token_env: "TOKEN_${target.env_name}"` under `defaults`';
    return [naming(at(item.at, 'value', 'contradiction', message, remedy), [item.target, first.target], isRow)];
  });
}

const FILE = 'file ';

function licenseMarks(
  { name: target, settings: { value, origin } }: Target,
  file: string,
  env: Project['env'],
): readonly LicenseMark[] {
  const { base_url: baseUrl, license_id: license, account_id: account = null } = value;
  if (typeof baseUrl !== 'string') return [];
  const mark = (key: string, setting: string, why: string): LicenseMark => ({
    target,
    key,
    why,
    at: originOf(origin, [setting]).path,
  });
  if (baseUrl.startsWith(EMULATOR))
    return [
      mark(FILE + fileKey(pathIn(file, baseUrl.slice(EMULATOR.length))), 'base_url', 'its `base_url` is the same file'),
    ];
  const of = (kind: string, token: string): string => JSON.stringify([kind, addressKey(baseUrl), token, account]);
  const variable = tokenVariable(value);
  const token = env[variable] ?? '';
  const url = parsedUrl(baseUrl);
  return [
    mark(of('variable', variable), 'base_url', 'it has the same `base_url` and `token_env`'),
    ...(token === ''
      ? []
      : [mark(of('token', token), 'token_env', 'both variables hold one token for one `base_url`')]),
    ...(license === undefined || url === null || isThisMachine(url)
      ? []
      : [mark(`license ${license}`, 'license_id', 'it has the same `license_id`')]),
  ];
}

function tokenVariable({ token_env: given }: JsonObject): string {
  return String(given ?? PRESETS['token_env'] ?? '');
}
