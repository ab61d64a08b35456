// Parses the authorisation of a payment with an official scheme. Pure, strict, and run before any other use of the
// payment.
import { permit2Address } from '@tollbridge/onchain';
import type { FieldError } from '@tollbridge/rpc';
import { createHash } from 'node:crypto';
import { forms, isObject, validateForms, type FieldForm, type Json } from './field-forms';

export type FacilitatedScheme = 'exact' | 'upto' | 'batch-settlement';

/** The authorisation of a payment. Addresses are canonical: lower-case on EVM chains. */
export interface Authorization {
  scheme: FacilitatedScheme;
  /**
   * The contract that stores the nonce: the token for EIP-3009 and on Solana, Permit2 for permits, and the channel
   * contract.
   */
  contract: string;
  payer: string;
  /**
   * In canonical form: 32 bytes as hex, on Solana the hash of the signed message. Network, contract, payer and nonce
   * identify the authorisation.
   */
  nonce: string;
  token: string;
  payTo: string;
  /** The amount to settle, in the smallest unit. */
  amountAtomic: bigint;
  /** The end of the authorisation: Unix seconds, on Solana a block height. */
  validBefore: number;
  /** SHA-256 of payload and requirements. Only an equal call gets the outcome. */
  payloadHash: string;
  /** The value of the extension payment-identifier. */
  paymentId: string | null;
}

const identifierForm = /^[A-Za-z0-9_-]{16,128}$/;
// Fits into PostgreSQL's bigint and JavaScript's numbers. A later end counts as unlimited.
const latestSecond = 2 ** 52;

/** The path of the data that the buyer signed. */
export const signedAt = 'paymentPayload.payload';

/** @returns errors when a field is missing or not in its canonical form */
export function readAuthorization(payload: Json, requirements: Json): Authorization | FieldError[] {
  const signed = payload.payload;
  const isTransfer = !isObject(signed) || signed.permit2Authorization === undefined;
  const errors = [
    ...validateForms('paymentRequirements', requirements, requirementForms),
    ...validateIdentifier(payload.extensions),
    ...validateForms(signedAt, signed, { signature: forms.signature }),
    ...(isObject(signed) ? (isTransfer ? validateTransfer(signed) : validatePermit(signed)) : []),
    ...(requirements.scheme === 'upto' && isTransfer ? [permitMissing] : []),
  ];
  if (errors.length > 0) return errors;
  // Validated above.
  const { scheme, asset, payTo, amount } = requirements as unknown as SettledTerms;
  return {
    ...(isTransfer ? readTransfer(signed as Json, asset) : readPermit(signed as Json)),
    scheme,
    token: asset.toLowerCase(),
    payTo: payTo.toLowerCase(),
    amountAtomic: BigInt(amount),
    payloadHash: payloadHashOf(payload, requirements),
    paymentId: readIdentifier(payload.extensions) ?? null,
  };
}

interface SettledTerms {
  scheme: 'exact' | 'upto';
  asset: string;
  payTo: string;
  amount: string;
}

/** The seller's terms in every scheme on EVM chains. */
export const termForms = { asset: forms.address, payTo: forms.address, amount: forms.amount };

const isTransferScheme = (value: unknown): boolean => value === 'exact' || value === 'upto';
const requirementForms: Record<string, FieldForm> = {
  ...termForms,
  scheme: [isTransferScheme, 'must be exact or upto'],
};

// EIP-3009 does not allow an amount below the signed one, so a permit is required.
const permitMissing: FieldError = {
  field: `${signedAt}.permit2Authorization`,
  message: 'is missing; upto is paid by Permit2',
};

type Signed = Pick<Authorization, 'contract' | 'payer' | 'nonce' | 'validBefore'>;

const permit2 = permit2Address.toLowerCase();

const transferForms = {
  from: forms.address,
  to: forms.address,
  value: forms.amount,
  validAfter: forms.amount,
  validBefore: forms.amount,
  nonce: forms.hash,
};

/** EIP-3009 `transferWithAuthorization`. */
const validateTransfer = ({ authorization }: Json): FieldError[] =>
  validateForms(`${signedAt}.authorization`, authorization, transferForms);

function readTransfer(signed: Json, asset: string): Signed {
  const { from, nonce, validBefore } = signed.authorization as Record<keyof typeof transferForms, string>;
  return {
    contract: asset.toLowerCase(),
    payer: from.toLowerCase(),
    nonce: nonce.toLowerCase(),
    validBefore: secondsOf(validBefore),
  };
}

const permitForms = {
  from: forms.address,
  spender: forms.address,
  nonce: forms.amount,
  deadline: forms.amount,
  permitted: forms.object,
  witness: forms.object,
};

/** A transfer by Permit2 through an x402 proxy. */
function validatePermit({ permit2Authorization: permit }: Json): FieldError[] {
  const path = `${signedAt}.permit2Authorization`;
  const { permitted, witness } = isObject(permit) ? permit : {};
  const permittedForms = { token: forms.address, amount: forms.amount };
  const witnessForms = { to: forms.address, validAfter: forms.amount };
  return [
    ...validateForms(path, permit, permitForms),
    ...(isObject(permitted) ? validateForms(`${path}.permitted`, permitted, permittedForms) : []),
    ...(isObject(witness) ? validateForms(`${path}.witness`, witness, witnessForms) : []),
  ];
}

function readPermit({ permit2Authorization: permit }: Json): Signed {
  const { from, nonce, deadline } = permit as Record<keyof typeof permitForms, string>;
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

/** Validates the extension payment-identifier. */
export function validateIdentifier(extensions: unknown): FieldError[] {
  if (readIdentifier(extensions) !== undefined) return [];
  const field = 'paymentPayload.extensions.payment-identifier.info.id';
  return [{ field, message: 'must be 16 to 128 letters, digits, - or _' }];
}

export const secondsOf = (text: string): number => {
  const seconds = BigInt(text);
  return seconds > BigInt(latestSecond) ? latestSecond : Number(seconds);
};

/** The hash that an equal call must have to get the outcome of a settlement. */
export const payloadHashOf = (payload: Json, requirements: Json): string =>
  createHash('sha256').update(canonicalJson({ payload, requirements })).digest('hex');

/** JSON with sorted names, so that equal values have the same text. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? 'null';
  const fields = Object.keys(value)
    .sort()
    .filter((name) => value[name] !== undefined)
    .map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name])}`);
  return `{${fields.join(',')}}`;
}

/**
 * @returns the difference between the requirements and the terms that the buyer accepted. Only `exact` requires equal
 * amounts.
 */
export function describeDifference(accepted: unknown, requirements: Json): string | undefined {
  if (!isObject(accepted)) return 'paymentPayload.accepted must be an object.';
  const isSame = (one: unknown, other: unknown) => String(one).toLowerCase() === String(other).toLowerCase();
  const areSame: Record<string, boolean> = {
    scheme: accepted.scheme === requirements.scheme,
    network: accepted.network === requirements.network,
    asset: isSame(accepted.asset, requirements.asset),
    payTo: isSame(accepted.payTo, requirements.payTo),
    amount: requirements.scheme !== 'exact' || accepted.amount === requirements.amount,
  };
  const different = Object.keys(areSame).filter((field) => !areSame[field]);
  if (different.length === 0) return undefined;
  return `paymentPayload.accepted differs from paymentRequirements in ${different.join(', ')}.`;
}
