/**
 * How an app may call an operation: not at all, in its own name (the principal is then `service:<app>`), or in the name
 * of the principal that it states.
 */
export type CallRight = 'none' | 'asItself' | 'forPrincipal';

/** Which app may call which operation, by the operation's subject. */
export type CallAccess = (caller: string, subject: string) => CallRight;

/** The app whose calls carry what clients sent: an undeclared field in them is an error of the client. */
export const clientEntrance = 'gateway';

/** For tests with services outside of the product. */
export const unrestrictedAccess: CallAccess = () => 'forPrincipal';
