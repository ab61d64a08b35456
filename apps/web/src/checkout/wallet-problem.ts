/** An error with the key of the text that explains it. */
export class WalletProblem extends Error {
  constructor(
    readonly text:
      | 'declined'
      | 'wrongNetwork'
      | 'switchDeclined'
      | 'approvalFailed'
      | 'noFunds'
      | 'locked'
      | 'pending'
      | 'unsupported'
      | 'unavailable'
      | 'failed',
  ) {
    super(text);
  }
}
