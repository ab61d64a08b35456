/**
 * How an app may call an operation: not at all, in its own name, or in the name of a stated principal. In its own name
 * the principal is `service:<app>`.
 */
export type CallRight = 'none' | 'asItself' | 'forPrincipal';

/** Which app may call which operation, by the operation's subject. */
export type CallAccess = (caller: string, subject: string) => CallRight;

/** The app that passes on what clients sent: an undeclared field in its calls is an error of the client. */
export const clientEntrance = 'gateway';

/** For tests with services outside of the product. */
export const unrestrictedAccess: CallAccess = () => 'forPrincipal';
