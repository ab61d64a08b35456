/** The network rejects a request or a transaction: nothing was executed. */
export class SuiRejection extends Error {}

/** A transaction was executed and failed: only its gas is charged. */
export class SuiFailure extends Error {
  constructor(
    /** As the network names it: `MoveAbort`, `InsufficientCoinBalance`. */
    readonly reason: string,
    readonly command: number,
    /** Details of a `MoveAbort` in the payment module. */
    readonly abort?: { readonly packageId: string; readonly code: number },
  ) {
    super(reason);
  }
}
