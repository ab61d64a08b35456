import type { FieldError } from '@tollbridge/rpc';
import type { ChallengeReply, TonProofRequest } from '@tollbridge/contracts';
import type { Environment } from '@tollbridge/config';
import {
  signatureProblem,
  signInText,
  type IssuedNonce,
  type ProofRejection,
  type Wallet,
} from '@tollbridge/wallet-proof';

/** The page where wallets sign in. A wallet shows the page's domain, and warns when the actual page differs. */
export interface SignInPage {
  domain: string;
  uri: string;
}

export interface Challenge extends IssuedNonce, SignInPage {
  wallet: Wallet;
  nonce: string;
  environment: Environment;
  /** The statement of the message, when the challenge is not for a sign-in. */
  statement?: string;
}

/** The response to a challenge: its signature, and for some schemes the signed message. */
export interface SignedChallenge {
  message?: string;
  signature?: string;
  proof?: TonProofRequest;
}

export const challengeLifetimeMs = 5 * 60_000;
// Tolerance for challenges from the future, because each replica estimates the database's time by itself.
const mostAheadMs = 60_000;
/** The chain id of an EVM challenge when the request names none. */
export const defaultChainId = 1;

export function signInPage(url: string): SignInPage {
  const { host, origin } = new URL(url);
  return { domain: host, uri: origin };
}

export const expiryOf = ({ issuedAtMs }: IssuedNonce): number => issuedAtMs + challengeLifetimeMs;

/** The message to sign; undefined for TON, where the wallet composes the message. */
export function textOf(challenge: Challenge): string | undefined {
  const { wallet, domain, uri, nonce, issuedAtMs, chainId, environment, statement } = challenge;
  if (wallet.scheme === 'ton_proof') return undefined;
  const isEvm = wallet.scheme === 'eip4361';
  const solanaNetwork = environment === 'test' ? 'devnet' : 'mainnet';
  return signInText({
    account: isEvm ? 'Ethereum' : 'Solana',
    wallet: wallet.address,
    chain: isEvm ? String(chainId) : solanaNetwork,
    expiresAtMs: expiryOf(challenge),
    domain,
    uri,
    nonce,
    issuedAtMs,
    ...(statement !== undefined && { statement }),
  });
}

export function challengeView(challenge: Challenge): ChallengeReply {
  const { wallet, domain, nonce, issuedAtMs, chainId } = challenge;
  const message = textOf(challenge);
  return {
    wallet: wallet.address,
    scheme: wallet.scheme,
    nonce,
    ...(message === undefined ? { payload: nonce } : { message }),
    domain,
    ...(wallet.scheme === 'eip4361' && { chainId }),
    issuedAt: new Date(issuedAtMs).toISOString(),
    expiresAt: new Date(expiryOf(challenge)).toISOString(),
  };
}

export function timeRejection(issued: IssuedNonce, nowMs: number): ProofRejection | undefined {
  if (nowMs >= expiryOf(issued)) return 'challenge_expired';
  return issued.issuedAtMs > nowMs + mostAheadMs ? 'challenge_not_yet_valid' : undefined;
}

const walletMessage =
  'must be the whole address of an EVM, Solana or TON wallet of this environment, with a valid checksum';

export function validateWallet(wallet: Wallet | undefined, field = 'wallet'): FieldError[] {
  return wallet ? [] : [{ field, message: walletMessage }];
}

export function validateChainId({ scheme }: Wallet, chainId: number | undefined): FieldError[] {
  return scheme === 'eip4361' || chainId === undefined
    ? []
    : [{ field: 'chainId', message: 'is for EVM wallets only' }];
}

type ProofField = 'message' | 'signature' | 'proof';

/** Errors for fields that are missing although the wallet's scheme requires them, or that the scheme does not use. */
export function validateProof({ scheme }: Wallet, given: SignedChallenge): FieldError[] {
  const wanted: ProofField[] = scheme === 'ton_proof' ? ['proof'] : ['message', 'signature'];
  const fields: ProofField[] = ['message', 'signature', 'proof'];
  const problems = fields.flatMap((field) => {
    if (wanted.includes(field) === (given[field] !== undefined)) return [];
    const message = wanted.includes(field)
      ? 'is required for this wallet'
      : 'does not apply to this kind of wallet; leave it out';
    return [{ field, message }];
  });
  if (scheme === 'ton_proof' || given.signature === undefined) return problems;
  const message = signatureProblem(scheme, given.signature);
  return message === undefined ? problems : [...problems, { field: 'signature', message }];
}
