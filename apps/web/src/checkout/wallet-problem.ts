/** The name of the text that says what went wrong. */
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
