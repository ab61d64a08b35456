// What a payment of an official scheme authorises, read strictly before any other use. Pure.
import { PERMIT2_ADDRESS } from '@tollbridge/onchain';
import { createHash } from 'node:crypto';

export type Json = Record<string, unknown>;

export type FacilitatedScheme = 'exact' | 'upto' | 'batch-settlement';

/** The authorization of a payment. Addresses are canonical: lower-case on EVM chains. */
export interface Authorization {
  scheme: FacilitatedScheme;
  /** Contract that holds the nonce: the token for EIP-3009 and on Solana, Permit2 for permits, that of a channel. */
  contract: string;
  payer: string;
  /** Canonical: 32 bytes as hex; on Solana the hash of the signed message. With network, contract and payer it identifies the authorization. */
  nonce: string;
  token: string;
  payTo: string;
  /** To be settled, smallest unit. */
  amountAtomic: bigint;
  /** After which it cannot be settled: Unix seconds, on Solana a block height. */
  validBefore: number;
  /** SHA-256 over payload and requirements: only an equal call gets the outcome. */
  payloadHash: string;
  /** Of the extension payment-identifier. */
  paymentId: string | null;
}

export const hash32Form = /^0x[0-9a-fA-F]{64}$/;
const addressForm = /^0x[0-9a-fA-F]{40}$/;
const amountForm = /^(0|[1-9][0-9]{0,77})$/;
const identifierForm = /^[A-Za-z0-9_-]{16,128}$/;
const mostAtomic = 2n ** 256n - 1n;
// PostgreSQL's bigint and JavaScript's numbers hold it; the end of the authorization is then unlimited.
const latestSecond = 2 ** 52;

/** @returns undefined when a field is missing or not in its canonical form */
export function readAuthorization(payload: Json, requirements: Json): Authorization | undefined {
  const { scheme, asset, payTo, amount } = requirements;
  if (scheme !== 'exact' && scheme !== 'upto') return undefined;
  if (!isAddress(asset) || !isAddress(payTo) || !isAmount(amount)) return undefined;
  const signed = isObject(payload.payload) ? payload.payload : {};
  if (!isSignature(signed.signature)) return undefined;
  const read = signed.permit2Authorization === undefined ? readTransfer(signed, asset) : readPermit(signed);
  const paymentId = readIdentifier(payload.extensions);
  // EIP-3009 has no amount below the signed one.
  if (!read || paymentId === undefined || (scheme === 'upto' && read.contract !== permit2)) return undefined;
  return {
    ...read,
    scheme,
    token: asset.toLowerCase(),
    payTo: payTo.toLowerCase(),
    amountAtomic: BigInt(amount),
    payloadHash: payloadHashOf(payload, requirements),
    paymentId,
  };
}

type Signed = Pick<Authorization, 'contract' | 'payer' | 'nonce' | 'validBefore'>;

const permit2 = PERMIT2_ADDRESS.toLowerCase();

/** EIP-3009 `transferWithAuthorization`. */
function readTransfer({ authorization }: Json, asset: string): Signed | undefined {
  if (!isObject(authorization)) return undefined;
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  const isWhole = isAddress(from) && isAddress(to) && isAmount(value) && isAmount(validAfter);
  if (!isWhole || !isAmount(validBefore) || typeof nonce !== 'string') return undefined;
  if (!hash32Form.test(nonce)) return undefined;
  return {
    contract: asset.toLowerCase(),
    payer: from.toLowerCase(),
    nonce: nonce.toLowerCase(),
    validBefore: secondsOf(validBefore),
  };
}

/** A transfer by Permit2 through a proxy of x402. */
function readPermit({ permit2Authorization: permit }: Json): Signed | undefined {
  if (!isObject(permit) || !isObject(permit.permitted) || !isObject(permit.witness)) return undefined;
  const { from, spender, nonce, deadline, permitted, witness } = permit;
  const isWhole =
    isAddress(from) &&
    isAddress(spender) &&
    isAddress(permitted.token) &&
    isAmount(permitted.amount) &&
    isAddress(witness.to) &&
    isAmount(witness.validAfter);
  if (!isWhole || !isAmount(nonce) || !isAmount(deadline)) return undefined;
  return {
    contract: permit2,
    payer: from.toLowerCase(),
    nonce: readPermitNonce(nonce),
    validBefore: secondsOf(deadline),
  };
}

/** The nonce of a permit in canonical form. */
export const readPermitNonce = (text: string): string => `0x${BigInt(text).toString(16).padStart(64, '0')}`;

/** @returns null without the extension; undefined when its id is malformed */
export function readIdentifier(extensions: unknown): string | null | undefined {
  const extension = isObject(extensions) ? extensions['payment-identifier'] : undefined;
  const id = isObject(extension) && isObject(extension.info) ? extension.info.id : undefined;
  if (id === undefined) return null;
  return typeof id === 'string' && identifierForm.test(id) ? id : undefined;
}

export const secondsOf = (text: string): number => {
  const seconds = BigInt(text);
  return seconds > BigInt(latestSecond) ? latestSecond : Number(seconds);
};

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isAddress = (value: unknown): value is string =>
  typeof value === 'string' && addressForm.test(value);

/** A longer signature is of a smart wallet: 4 KiB is more than any needs. */
export const isSignature = (value: unknown): value is string =>
  typeof value === 'string' && /^0x([0-9a-fA-F]{2}){1,4096}$/.test(value);

export const isAmount = (value: unknown): value is string =>
  typeof value === 'string' && amountForm.test(value) && BigInt(value) <= mostAtomic;

/** Only an equal call gets the outcome of a settlement. */
export const payloadHashOf = (payload: Json, requirements: Json): string =>
  createHash('sha256').update(canonicalJson({ payload, requirements })).digest('hex');

/** JSON with sorted names: equal for equal values. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? 'null';
  const fields = Object.keys(value)
    .sort()
    .filter((name) => value[name] !== undefined)
    .map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name])}`);
  return `{${fields.join(',')}}`;
}

/** Whether the buyer accepted these requirements. But with `exact` less than the accepted maximum may be charged. */
export function isAccepted(accepted: unknown, requirements: Json): boolean {
  if (typeof accepted !== 'object' || accepted === null) return false;
  const { scheme, network, asset, payTo, amount } = accepted as Json;
  const isSame = (one: unknown, other: unknown) => String(one).toLowerCase() === String(other).toLowerCase();
  return (
    scheme === requirements.scheme &&
    network === requirements.network &&
    isSame(asset, requirements.asset) &&
    isSame(payTo, requirements.payTo) &&
    (scheme !== 'exact' || amount === requirements.amount)
  );
}
