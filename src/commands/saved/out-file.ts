// `plan --out FILE`: a plan and what it was made from in, the file out: whole, or not at all. Decides nothing about the plan.

import { explained, writeWhole } from '../../base/disk.ts';
import { UsageError } from '../../base/errors.ts';
import { FORMAT_VERSION } from '../../base/model.ts';
import { packageVersion } from '../../base/version.ts';
import type { Plan } from '../../plan/plan.ts';
import { plain } from '../../render/plain.ts';
import { letGo } from '../../tasks/saved/acknowledged.ts';
import { manifestDigest, readDigests, serviceDigest } from '../../tasks/saved/digests.ts';
import { effectsOf } from '../../tasks/saved/effects.ts';
import type { SavedPlan } from '../../tasks/saved/saved-plan.ts';
import { savedText } from '../../tasks/saved/text.ts';
import { type Planning, planOptions } from '../planning.ts';
import type { PreparedFiles, TargetFlags } from '../prepare.ts';
import { filesOf, writablePlace } from '../report-files.ts';
import type { Declared } from '../routes.ts';
import type { Terminal } from '../terminal.ts';

/** Where `--out` leads. */
export interface OutPlace {
  /** As it was written on the command line. */
  readonly file: string;
  /** Past every link. */
  readonly path: string;
}

/** @throws UsageError before anybody is asked anything */
export async function outPlace(file: string, { settings, named }: PreparedFiles): Promise<OutPlace> {
  if (file === '-')
    throw new UsageError('--out -: a plan is saved in a file; standard output has what the command itself prints');
  if (file === '') throw new UsageError('--out: the name of the file is missing');
  return { file, path: await writablePlace(`--out ${file}`, file, [...filesOf(settings, {}), ...named]) };
}

/** A plan, and what it was made from. */
export interface Made {
  readonly plan: Plan;
  readonly planning: Planning;
  readonly declared: Declared;
  readonly flags: TargetFlags;
}

/** What a plan is held against when it is carried out, and saved with. */
export function currentOf({ plan, planning: { live }, declared }: Omit<Made, 'flags'>) {
  return {
    plan,
    manifest: manifestDigest(declared.desired),
    read: readDigests(live),
    effects: effectsOf(plan),
  } as const satisfies Partial<SavedPlan>;
}

/** Also a plan that is withheld: whoever reads it may find out what lets it go. Its digest comes back. */
export async function savePlan(place: OutPlace, made: Made, terminal: Terminal): Promise<string> {
  const { planning, declared, flags } = made;
  const { settings } = declared;
  const { plan, manifest, read, effects } = currentOf(made);
  const unasked = planOptions(settings, { ...flags, acknowledge: [] }).acknowledged;
  const { text, digest } = savedText({
    format_version: FORMAT_VERSION,
    chatform_version: packageVersion(),
    created_at: new Date(terminal.clock.now()).toISOString(),
    target: settings.name,
    api_version: settings.apiVersion,
    service: serviceDigest(settings.baseUrl),
    manifest,
    selection: { only: flags.only ?? [], except: flags.except ?? [] },
    acknowledged: {
      given: flags.acknowledge ?? [],
      vetoes: letGo(planning.compared, planning.options, unasked),
    },
    plan,
    diagnostics: planning.diagnostics,
    read,
    effects,
  });
  await explained(place.file, 'written', () => writeWhole(place.path, text));
  const verb = plan.against === undefined && plan.withheld.length === 0 ? 'apply' : 'show';
  if (flags.quiet !== true)
    terminal.err(
      `Saved as ${plain(place.file)}; digest ${digest.slice(0, 8)}. To ${verb} it: chatform ${verb} ${plain(place.file)}\n`,
    );
  return digest;
}
