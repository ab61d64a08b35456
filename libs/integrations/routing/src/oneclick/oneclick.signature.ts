import { decodeBase58, encodeBase58, toBeHex, getBytes } from 'ethers';
import { createHash, createPublicKey, verify, type KeyObject } from 'node:crypto';

/** The key that signs the quotes of the production service. It is also in the service's own SDK 0.1.25. */
export const productionPublicKey = 'ed25519:reYaWhvwu8Jzo3WUM3zhn6VrhuMEF4eADL17qtRVifc';

type Fields = Record<string, unknown>;

const always = [
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
];
const whenGiven = [
  'quoteWaitingTimeMs',
  'referral',
  'virtualChainRecipient',
  'virtualChainRefundRecipient',
  'customRecipientMsg',
];
const amounts = [
  'amountIn',
  'amountInFormatted',
  'amountInUsd',
  'minAmountIn',
  'amountOut',
  'amountOutFormatted',
  'amountOutUsd',
  'minAmountOut',
];
const commitment = [
  'depositAddress',
  'depositMemo',
  'deadline',
  'timeWhenInactive',
  'timeEstimate',
  'refundFee',
  'withdrawFee',
  'virtualChainRecipient',
  'virtualChainRefundRecipient',
  'customRecipientMsg',
];

/**
 * Whether the provider signed this quote. The provider signs by ed25519. The message is the base58 text of the SHA-256
 * of the signed fields, as JSON with sorted keys. A dry quote signs its amounts, and a committed quote signs everything
 * that the payer relies on.
 */
export function isSigned(reply: Fields, publicKey: string): boolean {
  try {
    const message = Buffer.from(signedText(reply));
    return verify(null, message, keyOf(publicKey), bytesOf(String(reply['signature']), 64));
  } catch {
    return false;
  }
}

function signedText(reply: Fields): string {
  const request = reply['quoteRequest'] as Fields;
  const quote = reply['quote'] as Fields;
  const fields: Fields = {
    ...pick(request, always),
    ...pickTruthy(request, whenGiven),
    ...pick(quote, amounts),
  };
  if (!request['dry']) Object.assign(fields, pickTruthy(quote, commitment));
  fields['timestamp'] = reply['timestamp'];
  // No field is an object, so sorting one level suffices.
  const json = JSON.stringify(
    Object.fromEntries(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1))),
  );
  return encodeBase58(createHash('sha256').update(json).digest());
}

function pick(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(names.map((name) => [name, fields[name]]));
}

/** Empty fields are signed as absent, even if the request has a field of the same name. */
function pickTruthy(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(names.map((name) => [name, fields[name] || undefined]));
}

function keyOf(text: string): KeyObject {
  const x = Buffer.from(bytesOf(text, 32)).toString('base64url');
  return createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } });
}

// 64 bytes have 88 characters in base58. Decoding takes quadratic time, so longer text is rejected.
const maxTextLength = 128;

function bytesOf(text: string, length: number): Uint8Array {
  if (text.length > maxTextLength) throw new RangeError('too long for a key or a signature');
  return getBytes(toBeHex(decodeBase58(text.replace(/^ed25519:/, '')), length));
}
