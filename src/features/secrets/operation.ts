// Rotation and rescue of secrets. Needs no manifest, so a leaked secret can be changed while the files have errors.

import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { explained, syncFolder } from '../../base/disk.ts';
import { UsageError } from '../../base/errors.ts';
import { byText } from '../../base/json.ts';
import type { Address, KindName, LedgerState, ObjectId, Version } from '../../base/model.ts';
import { rightNames } from '../../base/nearest.ts';
import { oneOf } from '../../base/text.ts';
import { anyOf } from '../../kinds/features.ts';
import { KINDS, kindOf } from '../../kinds/index.ts';
import { type Kind, type SecretReset, secretField } from '../../kinds/kind.ts';
import { splitName } from '../../kinds/namespaced.ts';
import { covers } from '../../kinds/selection.ts';
import type { LedgerEvent } from '../../ledger/events.ts';
import { foldLedger } from '../../ledger/ledger.ts';
import type { Tenure } from '../../ledger/tenure.ts';
import { type Connection, connected, type Requests } from '../../license/connect.ts';
import { type Ask, fetchLive } from '../../license/reading/live.ts';
import { listsOf } from '../../license/reading/view.ts';
import type { SecretsPlace, TargetSettings } from '../../project/settings.ts';
import type { Credential } from '../../service/credential.ts';
import { fromProject, overridden, type TargetChoice } from '../../target/choice.ts';
import type { RunContext } from '../../target/context.ts';
import type { Agree, Stopped } from '../../target/lock.ts';
import { lockOf, lossOf, whileLocked } from '../../target/lock.ts';
import { requireOwnPlaces } from '../../target/secrets/keep-secrets.ts';
import { type RescueFile, rescueFilesOf, rescueFor } from '../../target/secrets/rescue.ts';
import type { SecretSubject, SecretsSink, StoredSecret, TokenSink } from '../../target/secrets/secrets.ts';
import { sinkOf } from '../../target/secrets/sink.ts';
import { endOfRun, signingOf } from '../../target/started-by.ts';
import { ledgerAt } from '../../target/stores.ts';
import { type RotateReport, type Rotation, rotate } from './rotate-operation.ts';

export interface SecretsTarget {
  readonly settings: TargetSettings;
  /** Owner clients that chatform.yaml names. */
  readonly clients: readonly string[];
  readonly sink: TokenSink;
  readonly place: SecretsPlace;
}

/** @throws UsageError when chatform.yaml has errors, or the target has no place for secrets */
export async function secretsTarget(choice: TargetChoice, context: RunContext): Promise<SecretsTarget> {
  const found = await fromProject(choice, context);
  if (found.settings === null) throw new UsageError('the files have errors', found.diagnostics);
  const settings = overridden(found.settings, found.register, choice);
  const { secrets: place } = settings;
  const sink = sinkOf(settings, context);
  if (sink === null || place === null)
    throw new UsageError(
      `target ${settings.name} has no place for secrets: add \`secrets: { file: FILE }\` to it in chatform.yaml, or give --secrets-file FILE`,
    );
  return { settings, clients: found.clients, sink, place };
}

/** The place, for a sentence. The arguments of a command may say more than a document should. */
export function placeName(place: SecretsPlace): string {
  return place.type === 'command' ? `the command ${place.argv[0]}` : place.path;
}

export interface RotateResult {
  readonly report: RotateReport;
  readonly requests: Requests;
  /** The lease was lost before the first request, so nothing was sent. */
  readonly isUntouched: boolean;
}

export interface RotateOptions {
  /** Other licenses get the new secret as well. */
  readonly installations: boolean;
  readonly agree: Agree<Rotations>;
  readonly onPause: (address: Address, milliseconds: number) => void;
}

/** What a rotation is about. */
export interface Rotations {
  readonly resets: readonly Rotation[];
  /** Objects whose create carries a secret that chatform makes: the next apply makes them again with another one. */
  readonly renewals: readonly SecretSubject[];
}

/** Gets a new secret for each object that the globs cover, and keeps it. The old secret ends when the new one begins. */
export function rotateSecrets(
  { settings, clients, sink }: SecretsTarget,
  globs: readonly string[],
  { installations, agree, onPause }: RotateOptions,
  context: RunContext,
): Promise<RotateResult | Stopped> {
  const { apiVersion: version } = settings;
  return whileLocked(lockOf(settings), 'secrets rotate', context, async (tenure) => {
    const ledger = ledgerAt(settings.ledger, context);
    const past = await ledger.read();
    const state = foldLedger(past);
    const renewable = renewableIn(state);
    const chosen = choose(globs, state, version, renewable);
    const isMeant = covers(globs);
    const renewals = renewable.filter(({ address }) => isMeant(address));
    await refuseWaiting(settings.localPath, [...chosen, ...renewals]);
    const addresses = chosen.map(({ address }) => address);
    await sink.probe(addresses);
    await requireOwnPlaces(sink, addresses, past);
    const work = async ({ client, ask, signal }: Connection): Promise<RotateResult | Stopped> => {
      const credential = settings.accountId === null ? 'bearer' : 'basic';
      const resets = await rotationsOf(chosen, installations, { ledger: state, credential, clients, ask, version });
      const stopped = (await agree({ resets, renewals })) ?? (await lossOf(tenure));
      if (stopped !== null) return { stopped };
      const { clock } = context;
      const rescue = rescueFor(settings.localPath);
      const report = await rotate({
        run: tenure.run,
        rotations: resets,
        renewals,
        client,
        ledger,
        sink,
        rescue,
        clock,
        signal,
        onPause,
        signing: signingOf(settings, context),
      });
      const isUnsent = report.failure === null && report.results.every((result) => result.state === 'not-sent');
      const isUntouched = isUnsent && tenure.refused() !== null;
      return { report, requests: client.requests(), isUntouched };
    };
    return connected(settings, context, work, tenure);
  });
}

/** A waiting secret would later replace a newer one in the sink. */
async function refuseWaiting(ledger: string, chosen: readonly SecretSubject[]): Promise<void> {
  for (const { path, entries } of await rescueFilesOf(ledger)) {
    const waiting = entries.find((entry) =>
      chosen.some(({ id, address }) => entry.id === id || entry.address === address),
    );
    if (waiting !== undefined)
      throw new UsageError(
        `the secret of ${waiting.address} waits in ${path}: run \`chatform secrets rescue\` first, or remove the file if the secret is not needed`,
      );
  }
}

/** Secrets that were taken from rescue files into the sink. */
export interface RescuedSecrets {
  readonly files: readonly string[];
  readonly current: readonly StoredSecret[];
  /** Secrets of objects that no longer exist under that address. */
  readonly outdated: readonly StoredSecret[];
}

/** Moves the secrets that wait in rescue files into the sink. Sends nothing. */
export function rescueSecrets(
  { settings, sink }: SecretsTarget,
  context: RunContext,
): Promise<RescuedSecrets | Stopped> {
  return whileLocked(lockOf(settings), 'secrets rescue', context, (tenure) =>
    rescueLocked(settings, sink, tenure, context),
  );
}

async function rescueLocked(
  settings: TargetSettings,
  sink: SecretsSink,
  tenure: Tenure,
  context: RunContext,
): Promise<RescuedSecrets | Stopped> {
  const ledger = ledgerAt(settings.ledger, context);
  const past = await ledger.read();
  const files = await rescueFilesOf(settings.localPath);
  const { current, outdated } = sorted(files, foldLedger(past));
  const addresses = current.map(({ address }) => address);
  if (files.length > 0) await sink.probe(addresses);
  await requireOwnPlaces(sink, addresses, past);
  const stopped = await lossOf(tenure);
  if (stopped !== null) return { stopped };
  await sink.store(current);
  if (files.length > 0) {
    const end = endOfRun('secrets rescue', 'done', settings, tenure, context);
    await ledger.append([
      ...current.map(
        ({ address, id }): LedgerEvent => ({
          v: end.v,
          at: end.at,
          run: end.run,
          type: 'secret',
          address,
          id,
          state: 'kept',
        }),
      ),
      end,
    ]);
    await explained('the rescue file', 'written', async () => {
      for (const file of files) await rm(file.path);
      await syncFolder(dirname(settings.localPath));
    });
  }
  return { files: files.map((file) => file.path), current, outdated };
}

/** The newest secret of each object, by the address that it has now. */
function sorted(
  files: readonly RescueFile[],
  { bindings }: LedgerState,
): { readonly current: readonly StoredSecret[]; readonly outdated: readonly StoredSecret[] } {
  const current = new Map<Address, StoredSecret>();
  const outdated: StoredSecret[] = [];
  for (const entry of files.flatMap(({ entries }) => entries)) {
    const now = [...bindings].find(
      ([address, { id }]) => id === entry.id && splitName(address)[0] === splitName(entry.address)[0],
    );
    // An object whose run was killed before the ledger had it is not bound yet.
    const address = now?.[0] ?? (bindings.has(entry.address) ? null : entry.address);
    if (address === null) outdated.push(entry);
    else current.set(address, { ...entry, address });
  }
  return { current: [...current.values()], outdated };
}

/** An owned object that has a secret. */
export interface Chosen {
  readonly address: Address;
  readonly id: ObjectId;
  readonly kind: Kind;
  readonly reset: SecretReset;
}

/** Owned objects whose create carries a secret, and not one of the environment. Sorted by address. */
function renewableIn({ bindings, applied }: LedgerState): readonly SecretSubject[] {
  return [...bindings]
    .flatMap(([address, { id }]): readonly SecretSubject[] => {
      const own = secretField(KINDS[kindOf(address)]);
      return own === null || applied.get(address)?.digests[own] !== undefined ? [] : [{ address, id }];
    })
    .sort((a, b) => byText(a.address, b.address));
}

/** @throws UsageError for a glob that covers nothing with a secret, and nothing of `others`, which names what there is */
export function choose(
  globs: readonly string[],
  { bindings }: LedgerState,
  version: Version,
  others: readonly SecretSubject[] = [],
): readonly Chosen[] {
  const all = [...bindings].flatMap(([address, { id }]): readonly Chosen[] => {
    const kind = KINDS[kindOf(address)];
    return kind.secret === undefined ? [] : [{ address, id, kind, reset: kind.secret.reset }];
  });
  for (const glob of globs) {
    const isMeant = covers([glob]);
    if ([...all, ...others].some(({ address }) => isMeant(address))) continue;
    const other = [...bindings.keys()].find(isMeant);
    const given = other === undefined ? null : secretField(KINDS[kindOf(other)]);
    if (given !== null)
      throw new UsageError(
        `the secret of ${other} is one of the environment: set the variable that \`${given}\` names to another one, and apply`,
      );
    if (other !== undefined) throw new UsageError(`${other} has no secret: ${holders()} have one`);
    const names = [...all, ...others].map(({ address }) => address);
    throw new UsageError(
      names.length === 0
        ? `${glob} is not owned, and neither is any other object with a secret: apply it first`
        : `${glob} is not owned, so its id is not known; ${rightNames(glob, names)}`,
    );
  }
  const isMeant = covers(globs);
  const chosen = all.filter(({ address }) => isMeant(address)).sort((a, b) => (a.address < b.address ? -1 : 1));
  const untold = chosen.find(({ kind }) => kind.secret?.versions.includes(version) !== true);
  if (untold !== undefined)
    throw new UsageError(
      `version ${version} of the service has no secret of ${oneOf(untold.kind.noun.one)}: set \`api_version\` to ${anyOf(untold.kind.secret?.versions ?? [])}`,
    );
  return chosen;
}

function holders(): string {
  const kinds = Object.values(KINDS).filter(({ secret }) => secret !== undefined);
  return kinds.map(({ noun }) => noun.many).join(' and ');
}

/** Where the owner client of an object can be learned. */
interface Owners {
  readonly ledger: LedgerState;
  readonly credential: Credential['kind'];
  readonly clients: readonly string[];
  readonly ask: Ask;
  readonly version: Version;
}

/** @throws UsageError when an owner client has to be named and is not known, or there are no installations to reach */
async function rotationsOf(
  chosen: readonly Chosen[],
  installations: boolean,
  owners: Owners,
): Promise<readonly Rotation[]> {
  const without = chosen.find(({ reset }) => installations && reset.installations !== true);
  if (without !== undefined)
    throw new UsageError(
      `--existing-installations: nothing is installed from ${without.address}, it has one secret; leave the flag out`,
    );
  return Promise.all(
    chosen.map(async (one) => {
      const { address, id, reset } = one;
      const owner = reset.owner.isNeeded(owners.credential) ? await ownerOf(one, owners) : null;
      return { address, id, call: reset.call(id, { owner, installations }), of: reset.of };
    }),
  );
}

/** The owner client of an object. @throws UsageError when it is not known */
export async function ownerOf(
  { address, id, kind, reset }: Chosen,
  owners: Omit<Owners, 'credential'>,
): Promise<string> {
  const { field } = reset.owner;
  const written = owners.ledger.applied.get(address)?.spec[field];
  if (typeof written === 'string') return written;
  const of = <T>(value: T): ReadonlyMap<KindName, T> => new Map([[kind.name, value]]);
  const view = listsOf([kind.name], {
    fields: of(new Set([field])),
    namespaces: owners.clients,
    wanted: of({ ids: new Set([id]), looks: new Set<string>() }),
  });
  const { objects } = await fetchLive(owners.ask, view, owners.version);
  const read = objects[kind.name]?.find((object) => object.id === id)?.spec[field];
  if (typeof read === 'string') return read;
  throw new UsageError(
    `the owner client of ${address} is not known: declare its \`${field}\` and apply, or name the client under \`clients\` in chatform.yaml`,
  );
}
