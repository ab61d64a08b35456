import { readAccount, type RawAccount } from './accounts';
import { readBoundedJson } from './bounded-json';
import type { PresentedChannel } from './channel';
import { compactPrefix, readCompactToken } from './compact-token';
import { maxStateInitBytes } from './wallet';
import { maxDomainBytes, type WalletDialog } from './ton-connect';
import { flags, type HashChainGrant } from './signed-bytes';

/**
 * Maximum size of the decoded header. Official clients return the extensions of the 402, and Node accepts 16 KiB of
 * headers.
 */
export const maxHeaderBytes = 11_264;
/** Maximum depth of the JSON. The schema of an extension is deeply nested. */
export const maxHeaderDepth = 20;
/** Maximum number of commas: ten times the number in a payment of the official client. */
export const maxHeaderCommas = 400;
const maxHeaderChars = Math.ceil(maxHeaderBytes / 3) * 4;

const bounds = { maxDepth: maxHeaderDepth, maxCommas: maxHeaderCommas };

/** Largest amount, because amounts are signed and stored as signed 64-bit integers. */
export const maxAmountAtomic: bigint = 2n ** 63n - 1n;

/** The parsed fields of a payment header. They are bounded and have the right types, but are not verified. */
export interface PresentedPayment {
  /** The claimed payer. Undefined for a compact token, where the payer is the W5 wallet of the key. */
  from: RawAccount | undefined;
  /** Price fields of the payment. If undefined, the seller's price applies. */
  to: RawAccount | undefined;
  amountAtomic: bigint | undefined;
  asset: string | undefined;
  flags: number;
  nonce: Buffer;
  validAfterS: bigint;
  validBeforeS: bigint;
  signature: Buffer;
  publicKey: Buffer | undefined;
  stateInit: Buffer | undefined;
  dialog: WalletDialog | undefined;
  session: PresentedSession | undefined;
  chain: PresentedChain | undefined;
  /** The channel that the payment opens. */
  channel: PresentedChannel | undefined;
  /** Resource hash of a compact token. */
  resourceHash: Buffer | undefined;
  /** x402: the accepted offer, as received. */
  accepted: AcceptedOffer | undefined;
  /** x402: the URL of the resource. */
  resourceUrl: string | undefined;
  /** x402 extension `payment-identifier`. */
  paymentIdentifier: string | undefined;
}

export interface AcceptedOffer {
  scheme: string;
  network: string;
  amount: string;
  asset: string;
  payTo: string;
  /** Value from `extra`, if present. */
  verifyingContract: string | undefined;
  /** HTTP method of the offer. Undefined without `extra`, which contains every method but GET. */
  method: string | undefined;
}

/** A session grant presented with a payment; the wallet signed it. */
export interface PresentedSession {
  publicKey: Buffer;
  to: RawAccount | undefined;
  maxPerPaymentAtomic: bigint;
  maxTotalAtomic: bigint;
  validAfterS: bigint;
  validBeforeS: bigint;
  nonce: Buffer;
  signature: Buffer;
  dialog: WalletDialog | undefined;
}

/** A hash-chain grant and the link that pays. The signature of the payment is the wallet's signature of the grant. */
export interface PresentedChain extends Omit<HashChainGrant, 'to'> {
  /** Number of hashes from the link to the anchor. */
  index: number;
  link: Buffer;
}

/** `malformed` causes a 400; the other values cause a 402 with the reason. */
export type HeaderRejection = 'malformed' | 'invalid_x402_version' | 'invalid_payload' | 'nonce_required';

/** Parses a `Payment-Signature` header. Verifies neither the signature nor the price. */
export function readPaymentHeader(value: string): PresentedPayment | HeaderRejection {
  if (value.startsWith(compactPrefix)) return readCompact(value);
  const json = readPaymentJson(value);
  return json ? readPaymentPayload(json) : 'malformed';
}

/**
 * Returns the JSON object of a header in x402 form, for any scheme. Returns undefined if it is too large or malformed.
 */
export function readPaymentJson(value: string): Record<string, unknown> | undefined {
  if (value.length === 0 || value.length > maxHeaderChars) return undefined;
  const bytes = Buffer.from(value, 'base64');
  // Node skips invalid base64 characters, so a wrong byte count reveals them.
  if (bytes.length !== Math.floor((unpadded(value) * 3) / 4)) return undefined;
  const json = readBoundedJson(bytes, bounds);
  return isObject(json) ? json : undefined;
}

function readCompact(value: string): PresentedPayment | HeaderRejection {
  const token = readCompactToken(value);
  if (!token) return 'malformed';
  return { ...nothingMore, ...token };
}

const nothingMore = {
  from: undefined,
  to: undefined,
  amountAtomic: undefined,
  asset: undefined,
  stateInit: undefined,
  dialog: undefined,
  session: undefined,
  chain: undefined,
  channel: undefined,
  resourceHash: undefined,
  accepted: undefined,
  resourceUrl: undefined,
  paymentIdentifier: undefined,
};

/** Parses a `PaymentPayload` object, for example from the body of `/verify`. */
export function readPaymentPayload(json: Record<string, unknown>): PresentedPayment | HeaderRejection {
  if (json.x402Version !== undefined && json.x402Version !== 2) return 'invalid_x402_version';
  // Clients of the prototype send the authorization at the top level.
  const payload = isObject(json.payload) ? json.payload : json;
  const accepted = json.accepted === undefined ? undefined : readOffer(json.accepted);
  if (json.accepted !== undefined && !accepted) return 'invalid_payload';
  const { authorization } = payload;
  if (!isObject(authorization)) return 'invalid_payload';
  const { nonce, validAfter, validBefore } = authorization;
  if (nonce === undefined || validAfter === undefined || validBefore === undefined) return 'nonce_required';
  const asset = authorization.asset ?? undefined;
  const flagBits = authorization.flags ?? flags.resourceBound;
  const presented = {
    from: readText(authorization.from, readAccount),
    to: readText(authorization.to, readAccount),
    amountAtomic: readText(authorization.amount, readAmount),
    asset: asset as string | undefined,
    flags: flagBits as number,
    nonce: readHex(nonce, 32),
    validAfterS: readText(validAfter, readSeconds),
    validBeforeS: readText(validBefore, readSeconds),
    signature: readSignature(payload.signature),
    publicKey: optionally(authorization.publicKey, readKey),
    stateInit: optionally(authorization.stateInit, readStateInit),
    dialog: readDialog(payload),
    session: optionally(authorization.session, readSession),
    chain: optionally(authorization.chain, readChain),
    channel: optionally(authorization.channel, readChannel),
    resourceHash: undefined,
    accepted,
    resourceUrl: readUrl(json.resource),
    paymentIdentifier: readIdentifier(json.extensions),
  };
  return isReadable(presented) && isAssetName(asset) && isFlags(flagBits) ? presented : 'invalid_payload';
}

/** Fields are listed one by one, because iterating over names costs more (`paywall-costs.mjs`). */
function isReadable(presented: Unchecked): presented is PresentedPayment {
  const { from, to, amountAtomic, nonce, validAfterS, validBeforeS, signature } = presented;
  const isWhole = from !== undefined && to !== undefined && amountAtomic !== undefined && nonce !== undefined;
  if (!isWhole || validAfterS === undefined || validBeforeS === undefined || !signature) return false;
  const { publicKey, stateInit, dialog, session, chain, channel } = presented;
  if (publicKey === unreadable || stateInit === unreadable || dialog === unreadable) return false;
  return session !== unreadable && chain !== unreadable && channel !== unreadable;
}

type Unchecked = { [K in keyof PresentedPayment]: PresentedPayment[K] | undefined | null };

const isAssetName = (value: unknown): boolean =>
  value === undefined || (typeof value === 'string' && value.length <= 128);

const isFlags = (value: unknown): boolean =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 31;

// The value of a field that is present but invalid.
const unreadable = null;

/** Returns undefined if the field is absent, and `unreadable` if it is invalid. */
function optionally<T>(value: unknown, read: (value: unknown) => T | undefined): T | undefined | null {
  return value === undefined ? undefined : (read(value) ?? unreadable);
}

function readDialog(signed: Record<string, unknown>): WalletDialog | undefined | null {
  const { signatureKind, domain, timestamp } = signed;
  if (signatureKind === undefined || signatureKind === 'raw') return undefined;
  if (signatureKind !== 'tonconnect' || typeof domain !== 'string') return unreadable;
  const isDomain = domain.length > 0 && Buffer.byteLength(domain) <= maxDomainBytes;
  const seconds = Number(timestamp);
  const isTime = Number.isSafeInteger(seconds) && seconds > 0;
  return isDomain && isTime ? { domain, timestampS: seconds } : unreadable;
}

function readSession(value: unknown): PresentedSession | undefined {
  if (!isObject(value)) return undefined;
  const to = optionally(value.to, (account) => readText(account, readAccount));
  const dialog = readDialog(value);
  const required = {
    publicKey: readHex(value.publicKey, 32),
    maxPerPaymentAtomic: readText(value.maxPerPayment, readAmount),
    maxTotalAtomic: readText(value.maxTotal, readAmount),
    validAfterS: readText(value.validAfter, readSeconds),
    validBeforeS: readText(value.validBefore, readSeconds),
    nonce: readHex(value.nonce, 32),
    signature: readSignature(value.signature),
  };
  if (!isComplete(required) || to === unreadable || dialog === unreadable) return undefined;
  return { ...required, to, dialog };
}

function readChain(value: unknown): PresentedChain | undefined {
  if (!isObject(value)) return undefined;
  const required = {
    unitAtomic: readText(value.unit, readAmount),
    length: readText(value.length, readCount),
    anchor: readHex(value.anchor, 32),
    validAfterS: readText(value.validAfter, readSeconds),
    validBeforeS: readText(value.validBefore, readSeconds),
    nonce: readHex(value.nonce, 32),
    index: readText(value.index, readCount),
    link: readHex(value.link, 32),
  };
  return isComplete(required) ? required : undefined;
}

function readChannel(value: unknown): PresentedChannel | undefined {
  if (!isObject(value)) return undefined;
  const required = {
    unitAtomic: readText(value.unit, readAmount),
    length: readText(value.length, readCount),
    anchor: readHex(value.anchor, 32),
    endS: readText(value.end, readSeconds),
    index: readText(value.index, readCount),
    link: readHex(value.link, 32),
    owner: isShortText(value.owner) ? value.owner : undefined,
  };
  return isComplete(required) ? required : undefined;
}

function readOffer(value: unknown): AcceptedOffer | undefined {
  if (!isObject(value)) return undefined;
  const { scheme, network, amount, asset, extra } = value;
  const payTo = value.payTo ?? value.to;
  if (!isShortText(scheme) || !isShortText(network) || !isShortText(amount)) return undefined;
  if (!isShortText(asset) || !isShortText(payTo)) return undefined;
  const rest = isObject(extra) ? readExtra(extra) : noExtra;
  return { scheme, network, amount, asset, payTo, ...rest };
}

const noExtra = { verifyingContract: undefined, method: undefined };

const readExtra = ({ verifyingContract, method }: Record<string, unknown>) => ({
  verifyingContract: typeof verifyingContract === 'string' ? verifyingContract : undefined,
  method: typeof method === 'string' ? method : 'GET',
});

const isShortText = (value: unknown): value is string => typeof value === 'string' && value.length <= 128;

function readUrl(resource: unknown): string | undefined {
  const url = isObject(resource) ? resource.url : resource;
  return typeof url === 'string' ? url : undefined;
}

const identifierForm = /^[A-Za-z0-9_-]{16,128}$/;

/** The `id` of the x402 extension `payment-identifier`; undefined without a valid one. */
export function readIdentifier(extensions: unknown): string | undefined {
  const extension = isObject(extensions) ? extensions['payment-identifier'] : undefined;
  const info = isObject(extension) && isObject(extension.info) ? extension.info : extension;
  const id = isObject(info) ? info.id : undefined;
  return typeof id === 'string' && identifierForm.test(id) ? id : undefined;
}

const amountForm = /^[1-9][0-9]{0,18}$/;
const secondsForm = /^(0|[1-9][0-9]{0,15})$/;
const countForm = /^[1-9][0-9]{0,9}$/;
const maxCount = 2 ** 32 - 1;
const hexForm = /^[0-9a-f]*$/i;

/** Parses an amount: a positive integer within the range of the ledger, without sign or leading zeros. */
export function readAmount(text: string): bigint | undefined {
  if (!amountForm.test(text)) return undefined;
  const amount = BigInt(text);
  return amount <= maxAmountAtomic ? amount : undefined;
}

const readSeconds = (text: string): bigint | undefined => (secondsForm.test(text) ? BigInt(text) : undefined);

const readCount = (text: string): number | undefined =>
  countForm.test(text) && Number(text) <= maxCount ? Number(text) : undefined;

const readText = <T>(value: unknown, read: (text: string) => T | undefined): T | undefined =>
  isShortText(value) ? read(value) : undefined;

function readHex(value: unknown, byteLength: number): Buffer | undefined {
  if (typeof value !== 'string' || value.length !== byteLength * 2 || !hexForm.test(value)) return undefined;
  return Buffer.from(value, 'hex');
}

const readKey = (value: unknown): Buffer | undefined => readHex(value, 32);

/** 64 bytes in base64 or hexadecimal. */
function readSignature(value: unknown): Buffer | undefined {
  if (typeof value !== 'string') return undefined;
  if (value.length === 128) return readHex(value, 64);
  const bytes = Buffer.from(value, 'base64');
  return value.length <= 88 && bytes.length === 64 ? bytes : undefined;
}

function readStateInit(value: unknown): Buffer | undefined {
  if (typeof value !== 'string' || value.length > (maxStateInitBytes * 4) / 3 + 4) return undefined;
  const bytes = Buffer.from(value, 'base64');
  return bytes.length > 0 && bytes.length <= maxStateInitBytes ? bytes : undefined;
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isComplete = <T extends object>(fields: T): fields is { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.values(fields).every((field) => field !== undefined);

function unpadded(base64: string): number {
  if (!base64.endsWith('=')) return base64.length;
  return base64.endsWith('==') ? base64.length - 2 : base64.length - 1;
}
