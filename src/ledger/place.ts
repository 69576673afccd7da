// The names of logs in a database: `postgres:VARIABLE/PROJECT/TARGET` of a ledger, which `--ledger` takes too, and `postgres:VARIABLE/PROJECT/runs/ID`.

import { UsageError } from '../base/errors.ts';

const PREFIX = 'postgres:';

/** In the place of a target. */
const RUNS = 'runs';

/** A log in a database. */
export interface LogKey {
  /** The variable with the address of the database. */
  readonly variable: string;
  readonly project: string;
  readonly kind: 'ledger' | 'run';
  readonly name: string;
}

export function isInDatabase(ledger: string): boolean {
  return ledger.startsWith(PREFIX);
}

export function placeName({ variable, project, name }: Pick<LogKey, 'variable' | 'project' | 'name'>): string {
  return `${PREFIX}${variable}/${project}/${name}`;
}

export function runPlaceName({ variable, project, name }: Pick<LogKey, 'variable' | 'project' | 'name'>): string {
  return `${PREFIX}${variable}/${project}/${RUNS}/${name}`;
}

/** @throws UsageError for a name of another form */
export function logKey(ledger: string): LogKey {
  const [variable, project, name, id, ...rest] = ledger.slice(PREFIX.length).split('/');
  const isRun = name === RUNS && id !== undefined;
  if (!variable || !project || !name || id === '' || (id !== undefined && !isRun) || rest.length > 0)
    throw new UsageError(`${ledger} names no ledger: write ${PREFIX}VARIABLE/PROJECT/TARGET`);
  return { variable, project, kind: isRun ? 'run' : 'ledger', name: isRun ? id : name };
}
