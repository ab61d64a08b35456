// Injection tokens of the providers in every app.

export const ServiceLogger = Symbol('ServiceLogger');
export const ServiceConfig = Symbol('ServiceConfig');
/** The `StreamLimits` of the app's event stream; without them the publisher's defaults apply. */
export const StreamLimitsToken = Symbol('StreamLimits');
/** The `EventSigning` of the app's events. */
export const EventSigningToken = Symbol('EventSigning');
/** Options of `BusModule`. */
export const BusOptions = Symbol('BusOptions');
/** Options of `DatabaseModule`. */
export const DatabaseModuleOptionsToken = Symbol('DatabaseModuleOptions');
/** The store of replies to calls with an idempotency key. */
export const Replies = Symbol('Replies');
