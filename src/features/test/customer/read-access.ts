// Who asks the Customer Chat Web API for a verification. Makes a customer only on the license of the ledger.

import { addCounts } from '../../../base/grouped.ts';
import { accountOf } from '../../../license/apis.ts';
import type { Requests } from '../../../license/connect.ts';
import { customerIdentityOf, EMULATED } from '../../../license/customer.ts';
import { groupsOfLedger } from '../../../license/group-ids.ts';
import { knownLicense } from '../../../license/reading/stated.ts';
import { isEmulated } from '../../../license/transport.ts';
import type { TargetSettings } from '../../../project/settings.ts';
import type { Credential } from '../../../service/credential.ts';
import { CUSTOMER } from '../../../service/customer.ts';
import type { RunContext } from '../../../target/context.ts';
import { ledgerAt } from '../../../target/stores.ts';

/** Who asks the Customer Chat Web API of a target. */
export interface CustomerAccess {
  readonly account: string | null;
  /** For requests that need no token; null sends none. */
  readonly visitor: Credential | null;
  /** For requests that need one; null asks none of them. */
  readonly customer: Credential | null;
  /** Whether this run made the customer whose token it is. */
  readonly isNew: boolean;
  /** Whether this run has held the license against the ledger already. */
  readonly isChecked: boolean;
  /** For the token of the customer. */
  readonly requests: Requests;
}

/** @throws UsageError for an account that chatform.yaml does not say, where the accounts service gives no token, and before a customer is made on another license */
export async function customerAccess(settings: TargetSettings, context: RunContext): Promise<CustomerAccess> {
  const account = accountOf(CUSTOMER, settings.customerApiVersion, settings);
  let checked: Requests | null = null;
  // A customer stays for ever, so none is made on another license.
  const check = async (): Promise<void> => {
    const events = await ledgerAt(settings.ledger, context).read();
    if (knownLicense(events) !== null) checked = (await groupsOfLedger(events, settings, context)).requests;
  };
  const found = await customerIdentityOf(settings, context, 'may be made', check);
  const { credential: visitor = null, isNew = false, requests = {} } = found ?? {};
  return {
    account,
    visitor,
    customer: visitor ?? (isEmulated(settings) ? EMULATED : null),
    isNew,
    isChecked: checked !== null,
    requests: addCounts([requests, checked ?? {}]),
  };
}
