import { hash } from 'node:crypto';
import { accountBytes, accountText, accountLength, writeAccount, type RawAccount } from './accounts';
import { sha256 } from './sha256';

// No TON cell starts with these bytes, so a signature of these messages is never valid for a transaction.
const prefix = Buffer.from('ffff', 'hex');
const protocol = Buffer.concat([prefix, Buffer.from('ton-nanopay/v1')]);

/**
 * Type bytes of signed messages. Wallets sign the first seven types, and the payment ledger service signs the others.
 */
export const types = {
  payment: 0x01,
  sessionGrant: 0x02,
  hashChainGrant: 0x03,
  policy: 0x04,
  approvalDecision: 0x05,
  withdrawal: 0x06,
  cancellation: 0x07,
  confirmation: 0x10,
  link: 0x11,
  channel: 0x12,
  settlement: 0x13,
  receipt: 0x20,
  refundReceipt: 0x21,
  attestation: 0x30,
} as const;

export const flags = {
  /** The payment is bound to one resource. */
  resourceBound: 0b001,
  /** The amount is a maximum. */
  upTo: 0b010,
  /** The payment is signed by the key of a session grant, not by the wallet. */
  session: 0b100,
  /** The payment is not signed. It reveals the next link of a granted hash chain. */
  hashChain: 0b1000,
  /** The payment opens a channel, and the resource hash is the hash of the channel. Always combined with `upTo`. */
  channel: 0b10000,
} as const;

/** The first fields of every signed message: deployment and account. */
export interface Scope {
  networkId: number;
  verifyingContract: RawAccount;
  /** Master of the jetton. */
  asset: RawAccount;
  from: RawAccount;
}

export interface PaymentTerms extends Scope {
  flags: number;
  to: RawAccount;
  /** In the smallest unit of the asset. */
  amountAtomic: bigint;
  /** Unix seconds. */
  validAfterS: bigint;
  validBeforeS: bigint;
  /** 32 random bytes. */
  nonce: Buffer;
  /**
   * See `resourceHash` and `channelHash`; 32 zero bytes unless the payment is bound to a resource or opens a channel.
   */
  resourceHash: Buffer;
}

/** Offset of each field of a payment in the signed bytes. */
export const paymentOffsets = {
  type: 16,
  flags: 17,
  networkId: 18,
  verifyingContract: 22,
  asset: 58,
  from: 94,
  to: 130,
  amount: 166,
  validAfter: 182,
  validBefore: 190,
  nonce: 198,
  resourceHash: 230,
} as const;
export const paymentLength = 262;

const scopeLength = 130;

/** The signed bytes of a payment. */
export function paymentBytes(terms: PaymentTerms): Buffer {
  const { nonce, resourceHash: bound } = terms;
  if (nonce.length !== 32 || bound.length !== 32) throw new RangeError('Nonce and hash have 32 bytes.');
  // Every byte is written below.
  const bytes = Buffer.allocUnsafe(paymentLength);
  writeScope(bytes, types.payment, terms.flags, terms);
  writeAccount(bytes, terms.to, paymentOffsets.to);
  writeUint128(bytes, terms.amountAtomic, paymentOffsets.amount);
  bytes.writeBigUInt64BE(terms.validAfterS, paymentOffsets.validAfter);
  bytes.writeBigUInt64BE(terms.validBeforeS, paymentOffsets.validBefore);
  bytes.set(nonce, paymentOffsets.nonce);
  bytes.set(bound, paymentOffsets.resourceHash);
  return bytes;
}

/** Decodes signed bytes that pass `isPayment`. */
export function readPayment(bytes: Buffer): PaymentTerms {
  return {
    flags: bytes[paymentOffsets.flags]!,
    networkId: bytes.readInt32BE(paymentOffsets.networkId),
    verifyingContract: accountText(bytes, paymentOffsets.verifyingContract),
    asset: accountText(bytes, paymentOffsets.asset),
    from: accountText(bytes, paymentOffsets.from),
    to: accountText(bytes, paymentOffsets.to),
    amountAtomic: readUint128(bytes, paymentOffsets.amount),
    validAfterS: bytes.readBigUInt64BE(paymentOffsets.validAfter),
    validBeforeS: bytes.readBigUInt64BE(paymentOffsets.validBefore),
    nonce: bytes.subarray(paymentOffsets.nonce, paymentOffsets.nonce + 32),
    resourceHash: bytes.subarray(paymentOffsets.resourceHash, paymentLength),
  };
}

export const isPayment = (bytes: Buffer): boolean =>
  bytes.length === paymentLength &&
  protocol.equals(bytes.subarray(0, protocol.length)) &&
  bytes[paymentOffsets.type] === types.payment;

function writeScope(bytes: Buffer, type: number, flagBits: number, scope: Scope): void {
  deploymentHead(scope).copy(bytes);
  bytes[paymentOffsets.type] = type;
  bytes[paymentOffsets.flags] = flagBits;
  writeAccount(bytes, scope.from, paymentOffsets.from);
}

type Deployed = Omit<Scope, 'from'>;
let lastHead: (Deployed & { bytes: Buffer }) | undefined;

/** The bytes at the start of all messages of a deployment. They are cached for the last deployment. */
function deploymentHead({ networkId, verifyingContract, asset }: Deployed): Buffer {
  const isSame = lastHead?.networkId === networkId && lastHead.asset === asset;
  if (isSame && lastHead?.verifyingContract === verifyingContract) return lastHead.bytes;
  const bytes = Buffer.alloc(paymentOffsets.from);
  bytes.set(protocol, 0);
  bytes.writeInt32BE(networkId, paymentOffsets.networkId);
  writeAccount(bytes, verifyingContract, paymentOffsets.verifyingContract);
  writeAccount(bytes, asset, paymentOffsets.asset);
  lastHead = { networkId, verifyingContract, asset, bytes };
  return bytes;
}

/**
 * A grant for a session key. It sets the seller (any seller if undefined), the validity, and limits per payment and in
 * total.
 */
export interface SessionGrant {
  sessionKey: Buffer;
  to: RawAccount | undefined;
  maxPerPaymentAtomic: bigint;
  maxTotalAtomic: bigint;
  validAfterS: bigint;
  validBeforeS: bigint;
  nonce: Buffer;
}

export const sessionGrantBytes = (scope: Scope, grant: SessionGrant): Buffer =>
  message(types.sessionGrant, scope, [
    grant.sessionKey,
    grant.to === undefined ? Buffer.alloc(accountLength) : accountBytes(grant.to),
    uint128(grant.maxPerPaymentAtomic),
    uint128(grant.maxTotalAtomic),
    uint64(grant.validAfterS),
    uint64(grant.validBeforeS),
    grant.nonce,
  ]);

/**
 * A grant for a hash chain. Each link has the value of one unit, and the anchor is the hash of the first revealed link.
 */
export interface HashChainGrant {
  to: RawAccount;
  unitAtomic: bigint;
  /** Number of links. */
  length: number;
  anchor: Buffer;
  validAfterS: bigint;
  validBeforeS: bigint;
  nonce: Buffer;
}

export const hashChainGrantBytes = (scope: Scope, grant: HashChainGrant): Buffer =>
  message(types.hashChainGrant, scope, [
    accountBytes(grant.to),
    uint128(grant.unitAtomic),
    uint32(grant.length),
    grant.anchor,
    uint64(grant.validAfterS),
    uint64(grant.validBeforeS),
    grant.nonce,
  ]);

export interface SignedPolicy {
  maxAmountAtomic: bigint;
  /** Maximum number of payments a minute. */
  rateLimit: number;
  nonce: Buffer;
  validBeforeS: bigint;
}

export const policyBytes = (scope: Scope, policy: SignedPolicy): Buffer =>
  message(types.policy, scope, [
    uint128(policy.maxAmountAtomic),
    uint32(policy.rateLimit),
    policy.nonce,
    uint64(policy.validBeforeS),
  ]);

export interface ApprovalDecision {
  /** 16 bytes. */
  approvalId: Buffer;
  isApproved: boolean;
  nonce: Buffer;
  validBeforeS: bigint;
}

export const approvalDecisionBytes = (scope: Scope, decision: ApprovalDecision): Buffer =>
  message(types.approvalDecision, scope, [
    decision.approvalId,
    Buffer.of(decision.isApproved ? 1 : 0),
    decision.nonce,
    uint64(decision.validBeforeS),
  ]);

export interface SignedWithdrawal {
  destination: RawAccount;
  amountAtomic: bigint;
  nonce: Buffer;
  validBeforeS: bigint;
}

export const withdrawalBytes = (scope: Scope, withdrawal: SignedWithdrawal): Buffer =>
  message(types.withdrawal, scope, [
    accountBytes(withdrawal.destination),
    uint128(withdrawal.amountAtomic),
    withdrawal.nonce,
    uint64(withdrawal.validBeforeS),
  ]);

/** A cancellation: the payment with this nonce must never be charged. */
export const cancellationBytes = (scope: Scope, nonceToCancel: Buffer, validBeforeS: bigint): Buffer =>
  message(types.cancellation, scope, [nonceToCancel, uint64(validBeforeS)]);

function message(type: number, scope: Scope, fields: readonly Uint8Array[]): Buffer {
  const head = Buffer.alloc(scopeLength);
  writeScope(head, type, 0, scope);
  return Buffer.concat([head, ...fields]);
}

/** The signed digest is the SHA-256 of the bytes, so that a contract can verify the same signature. */
export const digestOf = (bytes: Uint8Array): Buffer => sha256(bytes);

/**
 * The hash that binds a payment to one resource.
 * @param url exactly the URL that the seller advertises
 * @param body undefined unless the seller binds bodies too
 */
export function resourceHash(method: string, url: string, body?: Uint8Array): Buffer {
  const hashed = body === undefined ? '' : sha256(body).toString('hex');
  return sha256(Buffer.from(`${method}\n${url}\n${hashed}`));
}

/** Confirmation id of a payment, derived from its digest: 32 hexadecimal digits. */
export const confirmationIdOf = (digest: Uint8Array): string =>
  // Returning digits directly costs a third of returning a buffer and encoding it.
  hash('sha256', Buffer.concat([confirmationHead, digest]), 'hex').slice(0, 2 * confirmationIdBytes);

const confirmationIdBytes = 16;
const confirmationHead = Buffer.concat([protocol, Buffer.of(types.confirmation)]);

/** The confirmation id as 16 bytes. */
export const confirmationBytes = (digest: Uint8Array): Buffer =>
  sha256(confirmationHead, digest).subarray(0, confirmationIdBytes);

/** The nonce of the payment that reveals this link, derived from chain and index. */
export const linkNonce = (grantDigest: Uint8Array, index: number): Buffer =>
  sha256(protocol, Buffer.of(types.link), grantDigest, uint32(index));

/** The fields of a channel; a payment signs their hash. */
export const channelBytes = (channel: {
  unitAtomic: bigint;
  length: number;
  anchor: Uint8Array;
  endS: bigint;
}): Buffer =>
  Buffer.concat([
    protocol,
    Buffer.of(types.channel),
    uint128(channel.unitAtomic),
    uint32(channel.length),
    channel.anchor,
    uint64(channel.endS),
  ]);

/** A settlement of a channel with its charged total, in links. */
export const settlementBytes = (channelDigest: Uint8Array, units: number): Buffer =>
  Buffer.concat([protocol, Buffer.of(types.settlement), channelDigest, uint32(units)]);

/** Fields of a receipt. The receipt key signs their digest. The next receipt contains the head after this one. */
export interface ReceiptTerms {
  /** A refund reverses a charge. */
  type: 'charge' | 'refund';
  digest: Buffer;
  amountAtomic: bigint;
  seq: bigint;
  previousHead: Buffer;
  unixMs: bigint;
}

export function receiptDigest({
  type,
  digest,
  amountAtomic,
  seq,
  previousHead,
  unixMs,
}: ReceiptTerms): Buffer {
  const code = type === 'charge' ? types.receipt : types.refundReceipt;
  const bytes = Buffer.allocUnsafe(protocol.length + 1 + 32 + 16 + 8 + 32 + 8);
  let at = protocol.copy(bytes, 0);
  at = bytes.writeUInt8(code, at);
  at += digest.copy(bytes, at, 0, 32);
  writeUint128(bytes, amountAtomic, at);
  at = bytes.writeBigUInt64BE(seq, at + 16);
  at += previousHead.copy(bytes, at, 0, 32);
  bytes.writeBigUInt64BE(unixMs, at);
  return sha256(bytes);
}

/** Head of the receipt chain after this receipt. */
export const nextHead = (previousHead: Uint8Array, receipt: Uint8Array): Buffer =>
  sha256(previousHead, receipt);

export const genesisHead: Buffer = Buffer.alloc(32);

/** Digest of a document that the receipt key signs, under its type byte. */
export const enclaveDigest = (type: number, ...fields: Uint8Array[]): Buffer =>
  sha256(protocol, Buffer.of(type), ...fields);

export function writeUint128(bytes: Buffer, value: bigint, offset: number): void {
  bytes.writeBigUInt64BE(value >> 64n, offset);
  bytes.writeBigUInt64BE(value & 0xffffffffffffffffn, offset + 8);
}

export const readUint128 = (bytes: Buffer, offset: number): bigint =>
  (bytes.readBigUInt64BE(offset) << 64n) | bytes.readBigUInt64BE(offset + 8);

function uint128(value: bigint): Buffer {
  const bytes = Buffer.alloc(16);
  writeUint128(bytes, value, 0);
  return bytes;
}

function uint64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(value);
  return bytes;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
