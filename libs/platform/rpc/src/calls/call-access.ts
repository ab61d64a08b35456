/**
 * How an app may call an operation: not at all, with its own principal `service:<app>`, or with a principal
 * that it states.
 */
export type CallRight = 'none' | 'asItself' | 'forPrincipal';

/** Returns how an app may call an operation, by the operation's subject. */
export type CallAccess = (caller: string, subject: string) => CallRight;

/** The app that forwards input of clients. Undeclared fields in its calls are errors of the client. */
export const clientEntrance = 'gateway';

/** Permits every call. For tests with services outside of the product. */
export const unrestrictedAccess: CallAccess = () => 'forPrincipal';
