// What all licenses of a client share, such as webhooks: how the declarations of two targets differ.

import { equalJson } from '../base/json.ts';
import type { Desired, DesiredResource, Diagnostic } from '../base/model.ts';
import { KINDS } from '../kinds/index.ts';
import { diagnose } from '../yaml/diagnostics.ts';
import type { LoadedManifest } from './load.ts';

export interface SharedResource {
  readonly resource: DesiredResource;
  readonly client: string;
}

export function sharedIn(desired: Desired): readonly SharedResource[] {
  return desired.resources.flatMap((resource) => {
    const { shared, namespace } = KINDS[resource.kind];
    const client = shared === undefined ? null : (namespace?.(resource) ?? null);
    return client === null ? [] : [{ resource, client }];
  });
}

/** Every value of a shared object that the target which writes it declares in another way, at its place. */
export function disagreements(
  { resource, client }: SharedResource,
  markOf: LoadedManifest['markOf'],
  writer: { readonly name: string; readonly desired: Desired },
): readonly Diagnostic[] {
  const { address, kind, spec } = resource;
  const theirs = writer.desired.resources.find((other) => other.address === address);
  return (theirs === undefined ? [null] : differing(spec, theirs.spec)).flatMap((name) => {
    const isWritten = name !== null && spec[name] !== undefined;
    const mark = isWritten ? markOf(address, [name], 'value') : markOf(address);
    const what = name === null ? 'does not declare' : `declares another \`${name}\` of`;
    const message = `target \`${writer.name}\` writes the webhooks of \`${client}\`, and ${what} this ${KINDS[kind].noun.one}`;
    const remedy = 'write it in the files of all targets, and remove it from overlays and values of single targets';
    return mark === null ? [] : [diagnose(mark, { code: 'contradiction', message, remedy })];
  });
}

/** Fields whose values differ. */
function differing(spec: DesiredResource['spec'], other: DesiredResource['spec']): readonly string[] {
  const names = [...new Set([...Object.keys(spec), ...Object.keys(other)])];
  return names.filter((name) => !equalJson(spec[name], other[name]));
}
