/** Says in its message what a value must be, and never what it is. */
export class UnusableValue extends Error {}
