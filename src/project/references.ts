// `${target.NAME}` and `${row.NAME}`: the references that the template of targets may have, in addition to `${env.NAME}`.

import { referencesIn, type VariableReference, withReferences } from '../manifest/substitute.ts';

function isOfTarget({ scope }: VariableReference): boolean {
  return scope === 'target' || scope === 'row';
}

/** Those in a text, in their order. */
export function targetReferences(text: string): readonly VariableReference[] {
  return referencesIn(text).filter(isOfTarget);
}

/** The text with these values in place of them; a reference stays as it is where its value is unknown. */
export function withTargetValues(
  text: string,
  replacing: (reference: VariableReference) => string | undefined,
): string {
  return withReferences(text, (reference) => (isOfTarget(reference) ? replacing(reference) : undefined));
}
