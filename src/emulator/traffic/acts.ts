// What visitors and agents do during a play: actions and controls of the emulator itself, which refuse what they always refuse.

import { controls } from '../chats/controls.ts';
import type { CustomerAction, CustomerCaller, CustomerContext } from '../customer/action.ts';
import { chatActionKind } from '../customer/chats.ts';
import { eventActionKind } from '../customer/events.ts';
import { shownGreetingKind } from '../customer/greetings.ts';
import { propertyActionKind } from '../customer/properties.ts';
import type { ControlAction } from '../engine/license.ts';
import { refuse } from '../engine/refusal.ts';

/** What a request says, and what it meets. */
type Asked = Pick<CustomerContext, 'version' | 'caller' | 'at' | 'refersAt' | 'failItem'>;

/** The license at one moment of a play. */
export type PlayContext = Omit<CustomerContext, keyof Asked>;

const byName = <T extends { readonly name: string }>(all: readonly T[]): ReadonlyMap<string, T> =>
  new Map(all.map((one) => [one.name, one]));

const ACTIONS = byName<CustomerAction>([
  ...chatActionKind.actions,
  ...eventActionKind.actions,
  ...propertyActionKind.actions,
  ...shownGreetingKind.actions,
]);
const CONTROLS = byName<ControlAction>([...controls, ...shownGreetingKind.controls]);

/** The reply to an action of a customer. Throws a refusal. */
export function ask(context: PlayContext, customerId: string, name: string, body: object): object {
  const caller: CustomerCaller = {
    customerId,
    clientId: undefined,
    organizationId: '',
    referer: undefined,
    userAgent: undefined,
    origin: '',
  };
  const asked: Asked = { version: '3.7', caller, at: Infinity, refersAt: Infinity, failItem: () => undefined };
  const action = ACTIONS.get(name) ?? refuse('internal', `customers have no action ${name}`);
  return action.run(body, { ...context, ...asked });
}

/** The reply to a control: what an agent does, or the browser of a customer tells. Throws a refusal. */
export function steer(context: PlayContext, name: string, body: object): object {
  const control = CONTROLS.get(name) ?? refuse('internal', `there is no control ${name}`);
  return control.run(body, context) ?? {};
}
