// How an action of the Customer Chat Web API is declared. Knows no single action. Specification: "Endpoints".

import type { ChatContext } from '../chats/threads.ts';
import type { ActionContext, EmulatedAction } from '../engine/api.ts';
import type { EmulatedKind } from '../engine/license.ts';
import type { JsonReader } from '../engine/shape.ts';
import { type CustomerSettings, type EmulatedCustomerVersion, VERSIONS } from './settings.ts';

/** What a request says of its sender. */
export interface CustomerCaller {
  /** Undefined where no token was sent, and none is needed. */
  readonly customerId: string | undefined;
  /** Client of the token. */
  readonly clientId: string | undefined;
  /** Organization of the account that the query names. */
  readonly organizationId: string;
  /** Page from which the request was sent: the header `Referer`. */
  readonly referer: string | undefined;
  readonly userAgent: string | undefined;
  /** Scheme and host to which the request was sent. */
  readonly origin: string;
}

export interface CustomerContext extends ActionContext, ChatContext {
  readonly version: EmulatedCustomerVersion;
  readonly settings: CustomerSettings;
  readonly caller: CustomerCaller;
}

export interface CustomerAction extends EmulatedAction {
  readonly versions: readonly EmulatedCustomerVersion[];
  /** Whether it needs the token of a customer; `configuration`: as the setting `configurationToken` says. */
  readonly token: 'required' | 'none' | 'configuration';
  /** Sent as a form with a file, and not as JSON. */
  readonly isForm: boolean;
  run(body: unknown, context: CustomerContext): object;
}

/** What the Customer Chat Web API knows of one kind of object. */
export interface CustomerKind extends EmulatedKind {
  readonly actions: readonly CustomerAction[];
}

/** Reads the body, whose path is empty. */
type CustomerRequest<R> = JsonReader<R> | { readonly [version in EmulatedCustomerVersion]: JsonReader<R> };

/** Everything about an action except its name and its request. */
interface CustomerDeclaration<R, Reply> {
  /** Default: all. */
  readonly versions?: readonly EmulatedCustomerVersion[];
  /** Default: `required`. */
  readonly token?: CustomerAction['token'];
  /** Whether its parameters are documented in the query. */
  readonly inQuery?: boolean;
  readonly isForm?: boolean;
  readonly run: (given: R, context: CustomerContext) => Reply;
}

/** Makes the function that declares actions of one sort. */
function declareAs<Reply extends object | undefined>(effect: EmulatedAction['effect'], reply: EmulatedAction['reply']) {
  return <R>(name: string, request: CustomerRequest<R>, declared: CustomerDeclaration<R, Reply>): CustomerAction => {
    const { versions = VERSIONS, token = 'required', inQuery = false, isForm = false, run } = declared;
    return {
      name,
      versions,
      token,
      isForm,
      effect,
      reply,
      // Real clients send the actions with a query as POST also. customer-and-reports-notes.md, section 7.
      methods: inQuery ? ['GET', 'POST'] : ['POST'],
      run: (body, context) => {
        const read = typeof request === 'function' ? request : request[context.version];
        return run(read(body, ''), context) ?? {};
      },
    };
  };
}

export const readAction = declareAs<object>('read', 'value');
/** A write that answers something: an id, a URL. */
export const writeAction = declareAs<object>('write', 'value');
/** A write without response payload. */
export const changeAction = declareAs<undefined>('write', 'empty');

/** Reads a request in the shape of its version, so that what differs is stated in one place. */
export const byVersion = <R>(make: (version: EmulatedCustomerVersion) => JsonReader<R>): CustomerRequest<R> => ({
  '3.3': make('3.3'),
  '3.5': make('3.5'),
  '3.6': make('3.6'),
  '3.7': make('3.7'),
});
