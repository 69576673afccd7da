// What each license must have for itself: a ledger, a file of secrets, and for the rows of a table an address with a token.

import { valueAt } from '../base/json.ts';
import type { JsonObject } from '../base/model.ts';
import { type Composed, originOf } from '../manifest/origin.ts';
import { at, type Emit, repeated } from '../yaml/diagnostics.ts';
import type { Path } from '../yaml/places.ts';
import { EMULATOR, PRESETS, pathIn } from './settings.ts';

interface Target {
  readonly name: string;
  readonly settings: Composed;
}

interface OwnFile {
  readonly path: Path;
  readonly noun: string;
  readonly remedy: string;
}

/** Ownership on one license means nothing on another, and the secret of one bot would replace that of another with its address. */
const OWN_FILES: readonly OwnFile[] = [
  { path: ['ledger'], noun: 'ledger', remedy: 'give each license its own ledger' },
  ...['file', 'env_file'].map((member) => ({
    path: ['secrets', member],
    noun: 'file of secrets',
    remedy: 'give each license its own file, such as ".chatform/${target.name}.secrets.json" under `defaults`',
  })),
];

/** `isRow`: whether a target is made of a row. Each row is a license, while two entries of `targets` may be the same one. */
export function checkSeparate(targets: readonly Target[], isRow: (target: string) => boolean, emit: Emit): void {
  for (const own of OWN_FILES) checkFiles(targets, isRow, own, emit);
  checkLicenses(
    targets.filter(({ name }) => isRow(name)),
    emit,
  );
}

function checkFiles(
  targets: readonly Target[],
  isRow: (target: string) => boolean,
  { path, noun, remedy }: OwnFile,
  emit: Emit,
): void {
  const placed = targets.flatMap(({ name, settings: { value, origin } }) => {
    const file = valueAt(value, path);
    const { base_url: baseUrl } = value;
    return typeof file === 'string' && typeof baseUrl === 'string' ? [{ name, origin, file, baseUrl }] : [];
  });
  for (const { item, first } of repeated(placed, ({ file }) => pathIn('', file))) {
    if (first.baseUrl === item.baseUrl && !(isRow(item.name) && isRow(first.name))) continue;
    const message = `target \`${item.name}\` has the ${noun} of target \`${first.name}\`, which is another license`;
    emit(at(originOf(item.origin, path).path, 'value', 'contradiction', message, remedy));
  }
}

/** With one address and one token, the objects of all rows would be made on one license. */
function checkLicenses(targets: readonly Target[], emit: Emit): void {
  for (const { item, first } of repeated(targets, ({ settings }) => licenseOf(settings.value))) {
    const { value, origin } = item.settings;
    const isEmulator = String(value['base_url']).startsWith(EMULATOR);
    const same = isEmulator ? 'the same `base_url`' : 'the same `base_url` and `token_env`';
    const remedy = isEmulator
      ? 'give each license its own file, such as "emulator:.chatform/${target.name}.json"'
      : 'give each license the name of its own token, such as `token_env: "TOKEN_${target.env_name}"` under `defaults`';
    const message = `target \`${item.name}\` is the license of target \`${first.name}\`: it has ${same}`;
    emit(at(originOf(origin, ['base_url']).path, 'value', 'contradiction', message, remedy));
  }
}

/** Equal for the settings of one license; null without an address. */
function licenseOf(settings: JsonObject): string | null {
  const { base_url: baseUrl } = settings;
  if (typeof baseUrl !== 'string') return null;
  if (baseUrl.startsWith(EMULATOR)) return baseUrl;
  return JSON.stringify([
    baseUrl,
    settings['token_env'] ?? PRESETS['token_env'] ?? null,
    settings['account_id'] ?? null,
  ]);
}
