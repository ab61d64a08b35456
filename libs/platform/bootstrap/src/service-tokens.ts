// Injection tokens of the providers that every app has.

export const ServiceLogger = Symbol('ServiceLogger');
export const ServiceConfig = Symbol('ServiceConfig');
/** The bound of the app's event stream, in MB of 2^20 bytes; undefined where tests start a service without one. */
export const StreamMaxMb = Symbol('StreamMaxMb');
/** Options of `BusModule`. */
export const BusOptions = Symbol('BusOptions');
/** Options of `DatabaseModule`. */
export const DatabaseModuleOptionsToken = Symbol('DatabaseModuleOptions');
/** The store of replies to calls with an idempotency key. */
export const Replies = Symbol('Replies');
