import type { ProofRejection } from './verdict';

/** What a wallet is asked to sign as text. */
export interface SignInText {
  account: 'Ethereum' | 'Solana';
  wallet: string;
  /** The host of the page on which people sign in, with its port where it has one. */
  domain: string;
  uri: string;
  /** The number of an EVM chain, or `mainnet` and `devnet` of Solana. */
  chain: string;
  nonce: string;
  issuedAtMs: number;
  expiresAtMs: number;
  /** What is signed, in one line for people; signing in unless given. */
  statement?: string;
}

const signInStatement = 'Sign in to Tollbridge. This costs nothing and moves no money.';

/** The text of EIP-4361; for Solana the same with another word in its first line, as "Sign in with Solana" has it. */
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
 * In what a text differs from the one that was issued; undefined when it is that text, to the byte. Nothing of what a
 * caller sends is read: its lines are only compared.
 */
export function differenceFrom(issued: string, given: string): ProofRejection | undefined {
  if (given === issued) return undefined;
  const [wanted, found] = [issued.split('\n'), given.split('\n')];
  // With a line more or less, the line that differs first is not what somebody meant to change.
  if (wanted.length !== found.length) return 'message_changed';
  return reasonByLine[wanted.findIndex((line, at) => line !== found[at])] ?? 'message_changed';
}
