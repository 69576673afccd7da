// The accounts service, as far as it gives tokens to customers: the only table of its actions. No specification describes it.
// customer-and-reports-notes.md, "Tokens and identity".

import type { Api } from './api.ts';
import type { Client } from './client.ts';

type AccountsAction = 'token';

export const ACCOUNTS: Api<AccountsAction, '2'> = {
  name: 'accounts service',
  path: 'customer',
  versions: ['2'],
  actions: {
    token: {
      versions: ['2'],
      // Without `entity_id` it makes a customer each time.
      effect: 'create',
      batch: null,
      scopes: ['customers:own'],
      ownScopes: ['customers:own'],
      extraScopes: [],
      answersSecret: true,
    },
  },
  stable: '2',
  credential: { kinds: ['bearer'], prefixed: [] },
};

export type AccountsClient = Client<AccountsAction, '2'>;
