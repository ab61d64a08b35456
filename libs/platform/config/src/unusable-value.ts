/** An invalid value of a setting. The message states the accepted values, and never contains the given value. */
export class UnusableValue extends Error {}
