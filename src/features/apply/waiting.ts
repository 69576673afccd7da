// Freeze windows and `--not-before` for an apply or a destroy of one license: it waits as a run over several does, before it reads anything.

import { UsageError } from '../../base/errors.ts';
import { until } from '../../base/until.ts';
import { dayOf, timeIn } from '../../base/week.ts';
import { failed, type Result, showRemark } from '../../command/result.ts';
import type { Terminal } from '../../command/terminal.ts';
import { frozenUntil } from '../../many/freeze.ts';
import { frozenText } from '../../many/words.ts';
import type { FreezeWindow } from '../../project/fleet-settings.ts';
import { openProjectFile, type TargetChoice } from '../../target/choice.ts';
import { plain } from '../../view/plain.ts';

/** Milliseconds between two looks at the clock, which a machine that sleeps does not keep. */
const PAUSE = 60_000;

/** Waits until the apply may begin. Null once it may; the result of one that was interrupted before. */
export async function heldBack(
  choice: TargetChoice & { readonly throughFreeze?: string; readonly notBefore?: string },
  terminal: Terminal,
): Promise<Result | null> {
  const notBefore = notBeforeIn(choice.notBefore);
  const windows = choice.throughFreeze === undefined ? await windowsOf(choice, terminal) : [];
  const frozen = await frozenUntil(windows, notBefore);
  const { clock, signal } = terminal;
  let said = '';
  const held = await until(async () => frozen(clock.now()), {
    clock,
    signal,
    isEnough: (found) => found === null,
    pause: (_, found) => Math.min(PAUSE, (found?.until ?? 0) - clock.now()),
    onWait: (_, found) => {
      if (found === null) return;
      const text = `${plain(frozenText(found))}\n`;
      if (text !== said) showRemark(text, terminal);
      said = text;
    },
  });
  return held === null ? null : failed('interrupted before anything was changed', { code: 130 });
}

/** None of a project with errors: the apply itself names them. */
async function windowsOf(
  { file, baseUrl, ...choice }: TargetChoice,
  terminal: Terminal,
): Promise<readonly FreezeWindow[]> {
  if (file !== undefined && baseUrl !== undefined) return [];
  const { project } = choice.opened ?? (await openProjectFile(choice, terminal));
  return project?.fleet.freeze ?? [];
}

/** Milliseconds since the epoch; without the flag undefined. @throws UsageError for what is neither a day nor a time with its offset */
export function notBeforeIn(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const moment = dayOf(given) ?? timeIn('UTC', given);
  // Runs over several targets have no zone of their own, and a time of another zone would begin at another hour.
  if (moment !== null && (dayOf(given) !== null || /(Z|[+-]\d\d:\d\d)$/.test(given))) return moment;
  throw new UsageError(
    `--not-before ${given}: write a time with its offset, such as 2026-12-01T06:00+01:00, or a day in UTC such as 2026-12-01`,
  );
}

/** Why, of the flags: a reason to go through a freeze is one more, or the only one. */
export function whyOf({
  reason,
  throughFreeze,
}: {
  readonly reason?: string;
  readonly throughFreeze?: string;
}): string | undefined {
  return reason === undefined || throughFreeze === undefined || reason === throughFreeze
    ? (reason ?? throughFreeze)
    : `${reason} (through a freeze: ${throughFreeze})`;
}
