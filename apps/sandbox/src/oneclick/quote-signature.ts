import { createHash, createPrivateKey, createPublicKey, sign, type KeyObject } from 'node:crypto';
import { encodeBase58 } from 'ethers';
import type { Quote, QuoteRequest, QuoteResponse } from './wire';

const scheme = 'ed25519:';
// PKCS #8 prefix of an ed25519 private key of 32 bytes. Node.js does not import the raw key.
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

// The key of every sandbox. It is public, so services know its public key without a setting, and trust it only in the
// sandbox.
const sandboxSeed = createHash('sha256').update('tollbridge sandbox').digest();

/** Signs quotes as the provider does: ed25519 over the base58 hash of the signed fields. */
export class QuoteSigner {
  private readonly key: KeyObject;
  readonly publicKey: string;

  constructor(seed = sandboxSeed) {
    this.key = createPrivateKey({ key: Buffer.concat([pkcs8Prefix, seed]), format: 'der', type: 'pkcs8' });
    this.publicKey = publicTextOf(this.key);
  }

  sign(response: Omit<QuoteResponse, 'signature'>): QuoteResponse {
    const signature = sign(null, Buffer.from(quoteHash(response)), this.key);
    return { ...response, signature: scheme + encodeBase58(signature) };
  }
}

const signedRequestFields = [
  'dry',
  'swapType',
  'slippageTolerance',
  'originAsset',
  'depositType',
  'destinationAsset',
  'amount',
  'refundTo',
  'refundType',
  'recipient',
  'recipientType',
  'deadline',
  'quoteWaitingTimeMs',
  'referral',
] as const satisfies readonly (keyof QuoteRequest)[];

const signedAmounts = [
  'amountIn',
  'amountInFormatted',
  'amountInUsd',
  'minAmountIn',
  'amountOut',
  'amountOutFormatted',
  'amountOutUsd',
  'minAmountOut',
] as const satisfies readonly (keyof Quote)[];

// Fields of a quote with a deposit address.
const signedCommitment = [
  'depositAddress',
  'depositMemo',
  'deadline',
  'timeWhenInactive',
  'timeEstimate',
  'refundFee',
  'withdrawFee',
] as const satisfies readonly (keyof Quote)[];

/**
 * Returns base58 of the SHA-256 of the signed fields, as JSON with sorted keys. Quote fields override request fields.
 */
export function quoteHash({
  quoteRequest,
  quote,
  timestamp,
}: Pick<QuoteResponse, 'quoteRequest' | 'quote' | 'timestamp'>): string {
  const ofQuote = quoteRequest.dry ? signedAmounts : [...signedAmounts, ...signedCommitment];
  const fields: Record<string, unknown> = {};
  // Zero amounts and `dry: false` are included; empty strings are omitted.
  for (const name of signedRequestFields) fields[name] = quoteRequest[name];
  for (const name of ['quoteWaitingTimeMs', 'referral'] as const) fields[name] ||= undefined;
  for (const name of ofQuote) fields[name] = quote[name] ?? fields[name];
  fields['timestamp'] = timestamp;
  const sorted = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1));
  return encodeBase58(
    createHash('sha256')
      .update(JSON.stringify(Object.fromEntries(sorted)))
      .digest(),
  );
}

function publicTextOf(key: KeyObject): string {
  return textOf(createPublicKey(key).export({ format: 'jwk' }).x!);
}

function textOf(base64url: string): string {
  return scheme + encodeBase58(Buffer.from(base64url, 'base64url'));
}
