export const signInName = 'sign-in-with-x';

export interface SignInOptions {
  /** The payer can read the resource again for this time after a payment. */
  accessS: number;
  /** Wallets display it. Printable ASCII in one line. */
  statement?: string;
}
