/** Thrown when the network rejects a request or a transaction: nothing was executed. */
export class SuiRejection extends Error {}

/** Thrown when a transaction was executed and failed: only its gas is charged. */
export class SuiFailure extends Error {
  constructor(
    /** The network's name of the failure: `MoveAbort`, `InsufficientCoinBalance`. */
    readonly reason: string,
    readonly command: number,
    /** Details of a `MoveAbort` in the payment module. */
    readonly abort?: { readonly packageId: string; readonly code: number },
  ) {
    super(reason);
  }
}
