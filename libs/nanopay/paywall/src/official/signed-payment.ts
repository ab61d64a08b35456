import { createHash } from 'node:crypto';
import { isObject } from '@tollbridge/nanopay-protocol';
import type { OfficialRequirements } from '../x402/official-types';

/** The fields of a payment that identify it and bind it to an offer. The facilitator verifies all others. */
export interface SignedPayment {
  /**
   * Identifies the authorization by payer and nonce, or by the signed message. Text and signature do not identify it,
   * because they have several notations.
   */
  id: string;
  /** Undefined on Solana, where the facilitator reads the payer from the transaction. */
  payer: string | undefined;
}

const evmAddress = /^0x[0-9a-f]{40}$/i;
const hash32 = /^0x[0-9a-f]{64}$/i;
const uint = /^(0|[1-9][0-9]{0,77})$/;
const voucherTypes = ['deposit', 'voucher', 'refund'];
const signatureForm = /^0x([0-9a-f]{2}){1,4096}$/i;
const maxTransactionChars = 2_000;

/**
 * Returns the payment in a payload of this offer. Returns the name of the field if it is malformed or differs from the
 * offer.
 */
export function readSignedPayment(
  offer: OfficialRequirements,
  payload: Record<string, unknown>,
): SignedPayment | string {
  if (offer.network.startsWith('solana:')) return readTransaction(offer, payload);
  if (offer.scheme === 'batch-settlement') return readVoucher(offer, payload);
  return offer.extra.assetTransferMethod === 'permit2'
    ? readPermit2(offer, payload.permit2Authorization)
    : readEip3009(offer, payload.authorization);
}

function readEip3009(offer: OfficialRequirements, authorization: unknown): SignedPayment | string {
  if (!isObject(authorization)) return 'payload.authorization';
  const { from, to, value, nonce } = authorization;
  if (!isText(from, evmAddress)) return 'payload.authorization.from';
  if (!isText(nonce, hash32)) return 'payload.authorization.nonce';
  if (!isAddress(to, offer.payTo)) return 'payload.authorization.to';
  if (value !== offer.amount) return 'payload.authorization.value';
  return paymentOf(offer, from, [offer.asset.toLowerCase(), nonce.toLowerCase()]);
}

function readPermit2(offer: OfficialRequirements, authorization: unknown): SignedPayment | string {
  if (!isObject(authorization)) return 'payload.permit2Authorization';
  const { from, nonce, permitted, witness } = authorization;
  if (!isText(from, evmAddress)) return 'payload.permit2Authorization.from';
  if (!isText(nonce, uint)) return 'payload.permit2Authorization.nonce';
  if (!isObject(permitted) || !isAddress(permitted.token, offer.asset))
    return 'payload.permit2Authorization.permitted.token';
  if (permitted.amount !== offer.amount) return 'payload.permit2Authorization.permitted.amount';
  if (!isObject(witness) || !isAddress(witness.to, offer.payTo))
    return 'payload.permit2Authorization.witness.to';
  // Permit2 has one set of nonces for all tokens.
  return paymentOf(offer, from, ['permit2', nonce]);
}

/** Identifies a voucher by its signature too, because its total can be guessed and the buyer signs the total. */
function readVoucher(
  offer: OfficialRequirements,
  { type, voucher, channelConfig, deposit }: Record<string, unknown>,
): SignedPayment | string {
  if (typeof type !== 'string' || !voucherTypes.includes(type)) return 'payload.type';
  if (!isObject(voucher) || !isText(voucher.channelId, hash32)) return 'payload.voucher.channelId';
  const { maxClaimableAmount, signature } = voucher;
  if (!isText(maxClaimableAmount, uint)) return 'payload.voucher.maxClaimableAmount';
  if (!isText(signature, signatureForm)) return 'payload.voucher.signature';
  if (!isObject(channelConfig) || !isText(channelConfig.payer, evmAddress))
    return 'payload.channelConfig.payer';
  const { receiver, token, payer } = channelConfig;
  if (!isAddress(receiver, offer.payTo)) return 'payload.channelConfig.receiver';
  if (!isAddress(token, offer.asset)) return 'payload.channelConfig.token';
  // A second deposit can arrive with the same voucher.
  const authorization = type === 'deposit' ? JSON.stringify(deposit) : '';
  return paymentOf(offer, payer as string, [
    type,
    maxClaimableAmount,
    signature.toLowerCase(),
    authorization,
  ]);
}

const paymentOf = (offer: OfficialRequirements, from: string, nonce: string[]): SignedPayment => ({
  id: idOf(offer.network, from.toLowerCase(), ...nonce),
  payer: from,
});

function readTransaction(
  offer: OfficialRequirements,
  { transaction }: Record<string, unknown>,
): SignedPayment | string {
  if (typeof transaction !== 'string' || transaction.length > maxTransactionChars)
    return 'payload.transaction';
  const bytes = Buffer.from(transaction, 'base64');
  const signatures = bytes[0] ?? 0;
  const start = 1 + signatures * 64;
  // The facilitator adds its signature, so only the message identifies the payment.
  if (signatures < 1 || signatures > 12 || bytes.length <= start) return 'payload.transaction';
  return { id: idOf(offer.network, bytes.subarray(start).toString('base64')), payer: undefined };
}

const idOf = (...parts: string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);

const isText = (value: unknown, form: RegExp): value is string =>
  typeof value === 'string' && form.test(value);

const isAddress = (value: unknown, expected: string): boolean =>
  isText(value, evmAddress) && value.toLowerCase() === expected.toLowerCase();
