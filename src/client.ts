// The typed client of the library: every action of every API of the service, over the network or on an emulator in this process.

export type { PropertyAccess, PropertyType } from './base/default-properties.ts';
export { ApiError, type ApiFailure, UsageError } from './base/errors.ts';
export type { Clock, CustomerVersion, Json, JsonObject, ReportsVersion, Version } from './base/model.ts';
export { AGENT } from './service/agent.ts';
export type * from './service/agent-messages.ts';
export { CONFIGURATION } from './service/configuration.ts';
export type { ConfigurationMessages } from './service/configuration-messages.ts';
export type * from './service/configuration-objects.ts';
export type { Credential } from './service/credential.ts';
export { CUSTOMER } from './service/customer.ts';
export type { CustomerMessages } from './service/customer-messages.ts';
export type * from './service/customer-objects.ts';
export type { Exchange } from './service/exchange.ts';
export { createInProcessExchange } from './service/in-process.ts';
export type * from './service/messages.ts';
export type { CallResult } from './service/reply.ts';
export { REPORTS } from './service/reports.ts';
export type { ReportsMessages } from './service/reports-messages.ts';
export type * from './service/reports-objects.ts';
export type { FinishedRequest, LifecycleNotice } from './service/sender.ts';
export { createServiceClient, type ServiceClient, type ServiceSettings } from './service/service-client.ts';
export type { TypedCallOptions } from './service/typed-client.ts';
export type { FileContent } from './service/upload.ts';
