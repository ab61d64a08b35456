/** Injection tokens for what every service has. */
export const ServiceLogger = Symbol('ServiceLogger');
export const ServiceConfig = Symbol('ServiceConfig');
