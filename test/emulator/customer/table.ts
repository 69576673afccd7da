// The conformance table of the Customer Chat Web API as a whole. Does not know how a request is sent.

import { CHATS } from './rows/chats.ts';
import { EVENTS } from './rows/events.ts';
import { PROPERTIES } from './rows/properties.ts';
import { type CustomerRow, type CustomerVersion, VERSIONS } from './rows/row.ts';
import { WIDGET_CONFIGURATION } from './rows/widget-configuration.ts';
import { WIDGET_CUSTOMERS } from './rows/widget-customers.ts';
import { WIDGET_STATUSES } from './rows/widget-statuses.ts';

/** Every action of every version. */
export const TABLE: readonly (readonly [CustomerVersion, string, CustomerRow])[] = [
  ...CHATS,
  ...EVENTS,
  ...PROPERTIES,
  ...WIDGET_CONFIGURATION,
  ...WIDGET_CUSTOMERS,
  ...WIDGET_STATUSES,
].flatMap((row) => (row.versions ?? VERSIONS).map((version) => [version, row.action, row] as const));
