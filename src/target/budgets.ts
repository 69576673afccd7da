// The budgets of requests of a project: of this process, or of all processes with its database.

import { databaseBudget } from '../ledger/postgres/budget.ts';
import type { Project } from '../project/project.ts';
import type { Credential } from '../service/credential.ts';
import { type Budget, budgetPerToken, createBudget } from '../service/patience/budget.ts';
import type { RunContext } from './context.ts';

export function budgetsOf(
  { fleet: { rate }, ledgerStore }: Pick<Project, 'fleet' | 'ledgerStore'>,
  context: RunContext,
): (credential: Credential) => Budget {
  const { clock, databases } = context;
  if (ledgerStore === null) return budgetPerToken(() => createBudget({ rate, clock }));
  const database = databases.at(ledgerStore.variable, context);
  return budgetPerToken((key) => databaseBudget(database, { key, rate, clock }));
}
