// Checks of chatform.yaml, the manifest, the ledger, the sink of secrets and the plan.

import type { KindName } from '../../base/model.ts';
import { counted, findingCounts } from '../../base/text.ts';
import { KINDS } from '../../kinds/index.ts';
import type { Plan } from '../../plan/plan.ts';
import { time } from '../../view/plain.ts';
import { datedHours } from '../../view/words/plan.ts';
import { type CheckResult, ok, problem, unchecked, warning } from './finding.ts';
import type { FilesSeen, LedgerSeen, Observed, PlanSeen, SinkSeen, TargetSeen } from './observed.ts';

/** Whether the target is known. */
export function checkProject({ subject, files }: Observed): CheckResult {
  if (subject !== null) return ok(`target ${subject.target}, ${subject.baseUrl.replace(/[?#].*$/, '')}`);
  return problem(`the project has ${countErrors(files)}`, 'correct what `chatform validate` names');
}

function countErrors({ diagnostics }: FilesSeen): string {
  return counted(findingCounts(diagnostics).errors, 'error');
}

/** Whether the manifest can be planned. */
export function checkManifest({ subject, files }: Observed): CheckResult {
  if (subject === null) return unchecked('the target is not known');
  if (files.declared === null)
    return problem(`the files have ${countErrors(files)}`, 'correct what `chatform validate` names');
  const resources = counted(
    [...files.declared.values()].reduce((sum, count) => sum + count, 0),
    'resource',
  );
  const { warnings } = findingCounts(files.diagnostics);
  if (warnings > 0)
    return warning(`${resources}, ${counted(warnings, 'warning')}`, 'see what `chatform validate` says');
  return ok(resources);
}

/** Whether the ledger can be read and written. */
export function checkLedger(ledger: LedgerSeen | null): CheckResult {
  if (ledger === null) return unchecked('the target is not known');
  const { path, exists, owned, unreadable, unwritable } = ledger;
  if (unreadable !== null) return problem(unreadable, 'restore the file, or name another under `ledger`');
  if (unwritable !== null)
    return problem(
      `${path} cannot be written: ${unwritable}`,
      'check the permissions of the file and of its folder: nothing is applied without it',
    );
  return ok(exists ? `${path}: ${counted(owned, 'owned object')}` : `${path}: the first apply begins it`);
}

/** Declared kinds that have a secret. */
function kindsWithSecrets({ declared }: FilesSeen, { version }: TargetSeen): readonly KindName[] {
  return [...(declared?.keys() ?? [])].filter((kind) => KINDS[kind].secret?.versions.includes(version) === true);
}

/** Whether a one-time secret would be kept. */
export function checkSecrets(sink: SinkSeen | null, { files, subject, planned }: Observed): CheckResult {
  if (subject === null) return unchecked('the target is not known');
  if (sink === null) return withoutSink(kindsWithSecrets(files, subject), planned);
  const { type, name, refusal, rights, waiting } = sink;
  if (refusal === null && waiting.length > 0)
    return warning(`secrets of an earlier run wait in ${waiting.join(', ')}`, '`chatform secrets rescue`');
  if (type === 'command')
    return refusal === null
      ? ok(`the command ${name} is there; it was not run`)
      : problem(refusal, 'install it, or name another under `secrets`');
  if (refusal !== null) return problem(refusal, 'name another file under `secrets`, or give yourself the right');
  if (rights !== null && (rights & 0o077) !== 0)
    return warning(`${name} can be read by others (mode ${rights.toString(8)})`, `chmod 600 ${name}`);
  return ok(rights === null ? `${name}: the first secret begins it` : name);
}

function withoutSink(kinds: readonly KindName[], planned: PlanSeen): CheckResult {
  const remedy = 'add `secrets: { file: FILE }` to the target';
  if (planned.status === 'planned') {
    const withheld = planned.plan.withheld.find(({ guard }) => guard === 'secrets-sink');
    return withheld === undefined
      ? ok('no place for them, and the plan needs none')
      : problem(withheld.message, remedy);
  }
  if (kinds.length === 0) return ok('no place for them, and nothing declared has one');
  const many = kinds.map((kind) => KINDS[kind].noun.many).join(' and ');
  return warning(`there is no place for the secrets of new ${many}, and some are declared`, remedy);
}

/** Whether the hours of a date are on the license, which needs an apply each day; null where nothing depends on the date. */
function checkDays(plan: Plan, applied: string | null): CheckResult | null {
  if (plan.hours === undefined) return null;
  const last = applied === null ? 'no apply has run' : `the last apply was ${time(applied)}`;
  const due = datedHours(plan);
  if (due === null) return ok(last);
  return warning(
    `hours of ${due.whose} are not ${due.days}, and ${last}`,
    'run `chatform apply` now, and each day by a job: hours of a date need it',
  );
}

/** Whether the license can be planned. */
export function checkPlan(planned: PlanSeen, ledger: Pick<LedgerSeen, 'applied'> | null): CheckResult {
  switch (planned.status) {
    case 'prevented':
      return unchecked(`nothing can be planned: ${planned.because}`);
    case 'unreadable':
      return problem(
        `the license cannot be understood: ${planned.message}`,
        'set it right by hand, or try again later',
      );
    case 'refused':
      return problem(
        `nothing can be planned: ${counted(findingCounts(planned.diagnostics).errors, 'error')}, first ${planned.diagnostics[0]?.message ?? ''}`,
        'correct what `chatform plan` names',
      );
    case 'unsettled':
      return warning(`written a moment ago, and not shown yet: ${planned.doubts.join(', ')}`, 'wait two minutes');
    case 'planned': {
      const { plan, diagnostics } = planned;
      const { add, change, destroy } = plan.summary;
      const said = `${add} to add, ${change} to change, ${destroy} to destroy, in ${counted(plan.requests.total, 'request')}`;
      const withheld = plan.withheld.filter(({ guard }) => guard !== 'secrets-sink');
      if (withheld.length === 0) {
        const found = diagnostics.filter(({ known }) => known === undefined).length;
        const days = checkDays(plan, ledger?.applied ?? null);
        if (found === 0 && days?.status === 'warning') return warning(`${said}; ${days.message}`, days.remedy ?? '');
        if (found === 0) return ok(days === null ? said : `${said}; ${days.message}`);
        return warning(
          `${said}; ${counted(found, 'finding')} about routing`,
          'see what stands above, or `chatform plan`',
        );
      }
      return warning(
        `${said}; withheld: ${withheld.map(({ message }) => message).join('; ')}`,
        withheld.map(({ remedy }) => remedy).join('; '),
      );
    }
  }
}
