// The exceptions of a project's lints: what each holds for, and those that hold for nothing.

import type { Address, Desired, Diagnostic, LintId, Reference } from '../base/model.ts';
import { nearest } from '../base/nearest.ts';
import { covers } from '../kinds/selection.ts';
import type { LintFinding } from '../routing/finding.ts';
import type { LintException } from '../routing/settings.ts';
import { diagnose } from '../yaml/diagnostics.ts';
import type { TargetSettings } from './settings.ts';

/** Whether the settings except an object from a lint. */
export function excepts({
  routing,
}: Pick<TargetSettings, 'routing'>): (lint: LintId, about: readonly Reference[]) => boolean {
  const each = routing.except.map((exception) => ({ ...exception, holdsFor: holdsFor(exception) }));
  return (lint, about) => each.some((exception) => exception.lint === lint && about.some(exception.holdsFor));
}

function holdsFor({ address }: Pick<LintException, 'address'>): (reference: Reference) => boolean {
  const selects = covers([address]);
  return (reference) => selects(reference as Address);
}

/** Exceptions for addresses that nothing declares. A finding is always about something declared. */
export function strayExceptions(
  { routing }: Pick<TargetSettings, 'routing'>,
  { resources }: Desired,
): readonly Diagnostic[] {
  return routing.except.flatMap((exception): readonly Diagnostic[] => {
    const { address, lint, mark } = exception;
    const holds = holdsFor(exception);
    if (mark === null || resources.some((resource) => holds(resource.address))) return [];
    const meant = nearest(
      address,
      resources.map((resource) => resource.address),
    );
    const message = `nothing declared has the address \`${address}\`, so this exception of \`${lint}\` holds for nothing`;
    const remedy = meant === null ? 'remove it' : `did you mean \`${meant}\`?`;
    return [diagnose(mark, { code: 'unknown-address', severity: 'warning', message, remedy })];
  });
}

/** Exceptions for declared objects about which their lint finds nothing. `isJudged`: whether the lint saw all that it looks at. */
export function unusedExceptions(
  { routing }: Pick<TargetSettings, 'routing'>,
  { resources }: Desired,
  found: readonly LintFinding[],
  isJudged: (lint: LintId) => boolean,
): readonly Diagnostic[] {
  return routing.except.flatMap((exception): readonly Diagnostic[] => {
    const { address, lint, mark } = exception;
    const holds = holdsFor(exception);
    if (mark === null || !isJudged(lint) || !resources.some((resource) => holds(resource.address))) return [];
    if (found.some(({ id, about }) => id === lint && about.some(holds))) return [];
    const message = `\`${lint}\` finds nothing about \`${address}\`, so this exception is not needed`;
    return [diagnose(mark, { code: 'unused-exception', severity: 'warning', message, remedy: 'remove it' })];
  });
}
