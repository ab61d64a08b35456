/** Injection tokens for what every service has. */
export const ServiceLogger = Symbol('ServiceLogger');
export const ServiceConfig = Symbol('ServiceConfig');
/** The bound of the app's event stream, in MB of 2^20 bytes; undefined where tests start a service without one. */
export const StreamMaxMb = Symbol('StreamMaxMb');
