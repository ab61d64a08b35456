// The HTTP authentication scheme `Payment` (draft-httpauth-payment) with the method `evm` and the intent `charge`. A
// payment uses EIP-3009 with the hash of its challenge as nonce. All functions are pure.
import { keccak_256 } from '@noble/hashes/sha3';
import { isObject, readPaymentJson } from './payment-header';

/** The fields that the id of a challenge authenticates, in encoded form. */
export interface ChallengeFields {
  realm: string;
  method: string;
  intent: string;
  /** Base64url of JSON with the requested payment. */
  request: string;
  /** ISO 8601. */
  expires: string;
  /** Base64url of JSON that clients return unchanged. */
  opaque: string;
}

export interface PaymentChallenge extends ChallengeFields {
  id: string;
}

/** The requested payment of an `exact` offer on an EVM chain. */
export interface EvmCharge {
  amount: string;
  asset: string;
  /** CAIP-2, for example `eip155:8453`. */
  network: string;
  payTo: string;
  decimals?: number | undefined;
}

export interface PaymentCredential {
  challenge: PaymentChallenge;
  payload: Record<string, unknown>;
}

export const evmChargeMethod = { method: 'evm', intent: 'charge' } as const;

const credentialForm = /^payment +([A-Za-z0-9_-]+={0,2})$/i;
const maxCredentialChars = 11_000;
const realmForm = /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/;

/** Whether an `Authorization` header contains a payment. */
export const isPaymentAuthorization = (authorization: string | undefined): authorization is string =>
  authorization !== undefined && /^payment(?: |$)/i.test(authorization);

/** Whether the text is valid as a realm without escapes. */
export const isRealm = (text: string): boolean => realmForm.test(text);

/** Encodes a challenge field as base64url of JSON. */
export const encodedField = (value: object): string =>
  Buffer.from(JSON.stringify(value)).toString('base64url');

/** @returns undefined for text that is not a JSON object */
export const decodedField = (text: string): Record<string, unknown> | undefined =>
  /^[A-Za-z0-9_-]+$/.test(text) ? readPaymentJson(text) : undefined;

/**
 * The field `request` of a charge. Clients re-encode it with keys in the order of RFC 8785, so the keys here have the
 * same order.
 */
export const chargeRequest = ({ amount, asset, network, payTo, decimals }: EvmCharge): string =>
  encodedField({
    amount,
    currency: asset,
    methodDetails: {
      chainId: Number(network.slice('eip155:'.length)),
      credentialTypes: ['authorization'],
      ...(decimals === undefined ? {} : { decimals }),
    },
    recipient: payTo,
  });

/** All fields in fixed positions, as the draft recommends. The empty field is the digest of a body. */
export const challengeText = ({ realm, method, intent, request, expires, opaque }: ChallengeFields): string =>
  [realm, method, intent, request, expires, '', opaque].join('|');

/** The challenge in the form of a `WWW-Authenticate` header. */
export const challengeHeader = (challenge: PaymentChallenge): string =>
  `Payment ${Object.entries(challenge)
    .map(([name, value]) => `${name}="${String(value)}"`)
    .join(', ')}`;

/**
 * Parses the credential in an `Authorization` header without verifying it. Returns undefined for a malformed
 * credential.
 */
export function readPaymentCredential(authorization: string): PaymentCredential | undefined {
  const token =
    authorization.length <= maxCredentialChars ? credentialForm.exec(authorization)?.[1] : undefined;
  const credential = token === undefined ? undefined : readPaymentJson(token.replace(/=+$/, ''));
  const challenge = credential && readChallenge(credential.challenge);
  if (!challenge || !isObject(credential.payload)) return undefined;
  return { challenge, payload: credential.payload };
}

/** Returns the `exact` payload of a credential, or undefined if it does not authorise this challenge. */
export function authorizedTransfer({
  challenge: { id, realm },
  payload,
}: PaymentCredential): Record<string, unknown> | undefined {
  const { from, to, value, validAfter, validBefore, nonce, signature, type } = payload;
  const hash = `0x${Buffer.from(keccak_256(Buffer.from(id + realm, 'utf8'))).toString('hex')}`;
  if (type !== 'authorization' || String(nonce).toLowerCase() !== hash) return undefined;
  return { signature, authorization: { from, to, value, validAfter, validBefore, nonce } };
}

/** The value of a header `Payment-Receipt`. */
export const paymentReceipt = (transaction: string, nowMs: number): string =>
  encodedField({
    method: evmChargeMethod.method,
    reference: transaction,
    status: 'success',
    timestamp: new Date(nowMs).toISOString(),
  });

function readChallenge(value: unknown): PaymentChallenge | undefined {
  if (!isObject(value)) return undefined;
  const { id, realm, method, intent, request, expires, opaque } = value;
  const read = { id, realm, method, intent, request, expires, opaque };
  const isComplete = Object.values(read).every((field) => typeof field === 'string');
  return isComplete && value.digest === undefined ? (read as PaymentChallenge) : undefined;
}

const problems: Readonly<Record<string, [name: string, title: string]>> = {
  malformed_credential: ['malformed-credential', 'Malformed Credential'],
  invalid_challenge: ['invalid-challenge', 'Invalid Challenge'],
  payment_expired: ['payment-expired', 'Payment Expired'],
  offer_expired: ['payment-expired', 'Payment Expired'],
};

/** Error messages for a credential that a seller rejects before it asks a facilitator. */
export const credentialErrors = {
  malformed: 'The credential is malformed.',
  foreign: 'This server did not issue the challenge. Request a new one.',
  otherRequest: 'The challenge is for another request.',
  otherChallenge: 'The authorization is for another challenge.',
} as const;

/** A problem document of RFC 9457. */
export interface PaymentProblem {
  type: string;
  title: string;
  status: number;
  detail: string | undefined;
}

/** Fields of RFC 9457 for a rejected credential, with the types of the draft. */
export function paymentProblem(code: string, detail: string | undefined): PaymentProblem {
  const [name, title] = problems[code] ?? ['verification-failed', 'Payment Verification Failed'];
  return { type: `https://paymentauth.org/problems/${name}`, title, status: 402, detail };
}
