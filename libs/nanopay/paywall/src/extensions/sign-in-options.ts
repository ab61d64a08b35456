export const signInName = 'sign-in-with-x';

export interface SignInOptions {
  /** How long after a payment the payer reads the same resource again. */
  accessS: number;
  /** Shown by wallets: printable ASCII in one line. */
  statement?: string;
}
