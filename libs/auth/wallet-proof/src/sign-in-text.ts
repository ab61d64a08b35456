import type { ProofRejection } from './verdict';

/** Facts in a sign-in text. */
export interface SignInText {
  account: 'Ethereum' | 'Solana';
  wallet: string;
  /** Host of the sign-in page, with its port if present. */
  domain: string;
  uri: string;
  /** EVM chain id, or `mainnet` and `devnet` of Solana. */
  chain: string;
  nonce: string;
  issuedAtMs: number;
  expiresAtMs: number;
  /** Purpose in one line, for people; by default signing in. */
  statement?: string;
}

const signInStatement = 'Sign in to Tollbridge. This costs nothing and moves no money.';

/** Returns the text of EIP-4361, or of "Sign in with Solana", which differs in one word of the first line. */
export function signInText(text: SignInText): string {
  return [
    `${text.domain} wants you to sign in with your ${text.account} account:`,
    text.wallet,
    '',
    text.statement ?? signInStatement,
    '',
    `URI: ${text.uri}`,
    'Version: 1',
    `Chain ID: ${text.chain}`,
    `Nonce: ${text.nonce}`,
    `Issued At: ${new Date(text.issuedAtMs).toISOString()}`,
    `Expiration Time: ${new Date(text.expiresAtMs).toISOString()}`,
  ].join('\n');
}

const reasonByLine: Readonly<Record<number, ProofRejection>> = {
  0: 'wrong_domain',
  1: 'wrong_wallet',
  5: 'wrong_uri',
  7: 'wrong_chain',
  8: 'wrong_nonce',
};

/**
 * Returns the kind of the first difference from the issued text; undefined when the texts are equal. The client's text
 * is compared by line and never parsed.
 */
export function differenceFrom(issued: string, given: string): ProofRejection | undefined {
  if (given === issued) return undefined;
  const [wanted, found] = [issued.split('\n'), given.split('\n')];
  // If the number of lines differs, the first differing line does not identify the change.
  if (wanted.length !== found.length) return 'message_changed';
  return reasonByLine[wanted.findIndex((line, at) => line !== found[at])] ?? 'message_changed';
}
