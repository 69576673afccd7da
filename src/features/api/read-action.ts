// An action of an API as a person asks for it, checked until it can be sent. Sends nothing.

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { explained } from '../../base/disk.ts';
import { UsageError } from '../../base/errors.ts';
import { isList, isObject } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/model.ts';
import { nearest, rightNames } from '../../base/nearest.ts';
import { type ApiAccess, accessFor, TARGET_APIS, type TargetApi } from '../../license/apis.ts';
import type { TargetSettings } from '../../project/settings.ts';
import { type NamedAction, namedActions } from '../../service/api.ts';
import { callerHeaders } from '../../service/content.ts';
import { createRedactor, redactJson } from '../../service/credential.ts';
import { withheld } from '../../service/secrets.ts';
import { type Upload, uploadOf } from '../../service/upload.ts';
import { prepareBare, type TargetChoice } from '../../target/choice.ts';
import type { RunContext } from '../../target/context.ts';

/** What is asked of an API. */
export interface AskedAction {
  /** Name of an action, or of the batch of one. */
  readonly action: string;
  readonly through: TargetApi;
  readonly body: JsonObject;
  readonly headers: Readonly<Record<string, string>>;
  /** Path of the file to send; null when there is none. */
  readonly file: string | null;
  /** Null for that of the target. */
  readonly version: string | null;
  readonly mayWrite: boolean;
}

/** An action that can be sent. */
export interface PreparedAction {
  readonly settings: TargetSettings;
  /** There is no chatform.yaml, only an address. */
  readonly isBare: boolean;
  readonly through: TargetApi;
  readonly access: ApiAccess;
  /** As it stands in the URL. */
  readonly name: string;
  readonly named: NamedAction;
  readonly body: JsonObject;
  /** The body without secrets, for a person. */
  readonly shown: Json;
  readonly headers: Readonly<Record<string, string>>;
  readonly upload: Upload | null;
}

/** @throws UsageError for an action that does not exist or may not be sent, a request of the wrong form, and what the target lacks */
export async function prepareAction(
  asked: AskedAction,
  choice: Pick<TargetChoice, 'target' | 'baseUrl' | 'accountsUrl' | 'timeout'>,
  context: RunContext,
): Promise<PreparedAction> {
  const { action: name, through, body } = asked;
  const named = actionMeant(name, through);
  if (named.action.effect !== 'read' && !asked.mayWrite)
    throw new UsageError(
      `${name} is not a read: add --write to send it after a question, or --write --yes without one`,
    );
  requireForm(asked, named);
  const headers = callerHeaders(asked.headers);
  const { settings, isBare } = await prepareBare(choice, context);
  const version = versionFor(asked, named, settings);
  const upload = await uploadFor(asked.file, named);
  const needs = { ...named.action, mayWrite: asked.mayWrite };
  const access = await accessFor(through, version, needs, settings, context);
  const { value: shown } = withheld(redactJson(body, createRedactor(access.credential)), NO_ANSWER);
  return { settings, isBare, through, access, name, named, body, shown, headers, upload };
}

const NO_ANSWER = { answersSecret: false, said: '' };

function actionMeant(name: string, through: TargetApi): NamedAction {
  const names = namedActions(through.api);
  const found = names.get(name);
  if (found !== undefined) return found;
  const others = Object.values<TargetApi>(TARGET_APIS).filter(({ flag }) => flag !== through.flag);
  const owner = others.find(({ api }) => namedActions(api).has(name));
  if (owner !== undefined)
    throw new UsageError(`${name} is an action of the ${owner.api.name}: ${wayTo(owner, through)}`);
  const own = [...names.keys()];
  const elsewhere = others.flatMap((other) => {
    const meant = nearest(name, [...namedActions(other.api).keys()]);
    return meant === null ? [] : [`did you mean \`${meant}\` of the ${other.api.name}? ${wayTo(other, through)}`];
  });
  const remedy = nearest(name, own) === null ? elsewhere[0] : undefined;
  throw new UsageError(`the ${through.api.name} has no action ${name}; ${remedy ?? rightNames(name, own)}`);
}

function wayTo({ flag: wanted }: TargetApi, { flag: given }: TargetApi): string {
  if (wanted === null) return `leave out ${given}`;
  return given === null ? `add ${wanted}` : `write ${wanted} in the place of ${given}`;
}

function requireForm({ action: name, body, file }: AskedAction, { action, isBatch, name: single }: NamedAction): void {
  const { requests } = body;
  if (isBatch && !(isList(requests) && requests.length > 0 && requests.every((item) => isObject(item))))
    throw new UsageError(`${name} takes \`{"requests": [...]}\`: a list of requests as ${single} takes them`);
  if (action.upload === undefined && file !== null)
    throw new UsageError(`--file ${file}: ${name} sends no file; leave it out`);
  if (action.upload === undefined) return;
  if (file === null) throw new UsageError(`${name} sends a file: name it with --file`);
  if (Object.keys(body).length > 0) throw new UsageError(`${name} takes nothing but its file: leave out -d`);
}

function versionFor(
  { action: name, through, version }: AskedAction,
  { versions }: NamedAction,
  settings: TargetSettings,
): string {
  const { api, versionSetting, versionOf } = through;
  if (version !== null && !api.versions.includes(version))
    throw new UsageError(`--api-version ${version}: the ${api.name} has ${listed(api.versions)}`);
  const wanted = version ?? versionOf(settings);
  if (versions.includes(wanted)) return wanted;
  const right = `${listed(versions)} ${versions.length === 1 ? 'has' : 'have'}`;
  const setting = version === null ? `, or set ${versionSetting} in chatform.yaml` : '';
  throw new UsageError(
    `version ${wanted} of the ${api.name} has no ${name}; ${right} it: write --api-version ${versions.find((each) => each === api.stable) ?? versions.at(-1)}${setting}`,
  );
}

/** `3.3, 3.5 and 3.6` */
function listed(versions: readonly string[]): string {
  return versions.join(', ').replace(/, ([^,]*)$/, ' and $1');
}

const CONTENT_TYPES: { readonly [extension: string]: string } = {
  '.csv': 'text/csv',
  '.gif': 'image/gif',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.json': 'application/json',
  '.mp4': 'video/mp4',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain',
  '.webp': 'image/webp',
  '.zip': 'application/zip',
};

async function uploadFor(path: string | null, { action: { upload } }: NamedAction): Promise<Upload | null> {
  if (path === null || upload === undefined) return null;
  const found = await explained(`--file ${path}`, 'read', () => stat(path));
  if (!found.isFile()) throw new UsageError(`--file ${path} is no file`);
  const type = CONTENT_TYPES[extname(path).toLowerCase()] ?? 'application/octet-stream';
  const content = () => createReadStream(path);
  return uploadOf({ content, name: basename(path), type, size: found.size }, upload.mostBytes);
}
