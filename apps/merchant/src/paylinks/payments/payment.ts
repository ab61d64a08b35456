import { ownValue, type MinedTransfers, type TransferRead } from '@tollbridge/chain-port';
import type { Chain } from '@tollbridge/chains';
import type { PayLinkPaymentStatus } from '@tollbridge/contracts';
import { hasExpired, isUsedUp, leastAmount, leastTransfer, wasClosed, type PayLink } from '../paylink';
import { straysIn, type Stray } from './stray';
import { paysAnOrder, tooLittle, transfersTo, type NoTransfer, type Transfer } from './transfer';

/** The block of a transaction. */
export interface PaidBlock {
  height: number;
  hash: string;
  /** The time of the payment: the block's time, but at most the time when the block was first seen. */
  paidAtMs: number;
}

/** A transaction that was reported for a link. */
export interface Payment {
  id: string;
  linkId: string;
  chain: string;
  txHash: string;
  status: PayLinkPaymentStatus;
  /** Whether a node has verified the payment. */
  isVerified: boolean;
  /** Whether the merchant confirmed the payment manually, since no node can verify it. */
  isConfirmed: boolean;
  /** The reason that the payment does not count, as a text for people. */
  reason: string | null;
  /** The paying transfer; null until the transaction is in a block. No other link can count this transfer. */
  transfer: Transfer | null;
  block: PaidBlock | null;
  valueUsd: string | null;
  /** The receiver's balance when an unverifiable payment was reported; null when it was not read. */
  balanceAtReport: bigint | null;
  /** The sum of the partial payments that complete this payment; null without any. */
  partsAmount: bigint | null;
  /** The id of the payment that this partial payment completes. */
  partOf: string | null;
  /** The order of a payment by checkout; null for a reported transaction. */
  orderId: string | null;
  /** Whether the merchant was notified that the payment counts. Cleared when the payment is reverted. */
  isNotified: boolean;
  pendingSinceMs: number;
  /** When the chain is checked next; null when the payment is final. */
  nextCheckAtMs: number | null;
  version: number;
  recordedAtMs: number;
  decidedAtMs: number | null;
}

/** The result of reading a transaction from a chain. */
export type ChainObservation =
  | TransferRead
  | ElsewhereObservation
  /**
   * No node of this chain is configured, so the transaction cannot be verified. The receiver's balance proves nothing.
   */
  | { kind: 'noNode'; receiverBalance: bigint | null };

/** The transaction is not on the network of the link, but on `chain`. */
export interface ElsewhereObservation {
  kind: 'elsewhere';
  chain: Chain;
  read: MinedTransfers;
}

/** The confirmation rules of a chain. */
export interface Finality {
  /** The number of blocks until a payment counts. */
  confirmations: number;
  /** The number of blocks until a reorganisation cannot drop the payment any more. */
  window: number;
  blockTimeMs: number;
}

/** The total that the payer paid, including the partial payments. */
export const paidAmount = ({ transfer, partsAmount }: Pick<Payment, 'transfer' | 'partsAmount'>): bigint =>
  transfer!.amount + (partsAmount ?? 0n);

/** A transfer below the amount of the link. Other transfers of the same payer may complete the amount. */
export interface Part {
  id: string;
  payer: string | null;
  amount: bigint;
}

interface Real {
  transfer: Transfer;
  block: PaidBlock | null;
}

export type Decision =
  /** Unchanged. `isFinal` means that no further check is needed. */
  | { become: 'same'; isFinal: boolean }
  /** With the transfer when it was found but lacks confirmations. */
  | ({ become: 'pending'; reason?: string } & Partial<Real>)
  | { become: 'rejected'; reason: string; strays?: readonly Stray[] }
  /** No node can verify the payment, so the merchant decides. */
  | { become: 'unverifiable'; receiverBalance: bigint | null }
  /** Less than the amount, even with the earlier partial payments. */
  | ({ become: 'partial'; reason: string; isFinal: boolean } & Real)
  | ({
      become: 'counted' | 'excess' | 'late' | 'inactive';
      isFinal: boolean;
      parts?: readonly Part[];
    } & Real);

export interface Case {
  link: PayLink;
  /** The chain of the link, with the tokens of this deployment. */
  chain: Chain;
  /** The payment before the decision; null for a new report. */
  payment: Payment | null;
  observation: ChainObservation;
  finality: Finality;
  /** Log indexes of the transfers that other payments have claimed. */
  taken: readonly number[];
  /** Whether another payment has claimed a transfer with an unknown log index. */
  isTakenWhole: boolean;
  /** Log indexes that payments with a lower priority than this one have claimed. */
  yielding: readonly number[];
  /** Whether an earlier report of this transaction, for another link of the same receiver, is undecided. */
  isSecond: boolean;
  /**
   * The least amount that may pay a link of another merchant. Set when only that merchant has proven the receiver. Null
   * otherwise.
   */
  contestedFrom: bigint | null;
  /** Partial payments of the link that complete no payment yet, or complete this payment. */
  parts: readonly Part[];
  /** The link that the transaction data references. */
  named: 'this' | 'other' | 'none';
  /** Whether the transaction settles an order, according to pay-orders. */
  paysOrder: boolean;
  nowMs: number;
}

// Within this time, wallets rebroadcast or drop a transaction.
const expiresAfterMs = 24 * 60 * 60_000;
export const alreadyCounted = 'The transaction already counts as the payment of another PayLink.';
export const contested =
  'Another merchant has proven the receiving address and has a PayLink that this pays. Report it there, or prove the address for this wallet.';
const namesAnother = 'The transaction data references another PayLink.';
/** The reason that a payment is reverted in favour of the merchant who has proven the receiving address. */
export const claimedByOwner =
  'The transaction pays a PayLink of the merchant who has proven the receiving address.';

const isReal = (payment: Payment | null): payment is Payment & Real =>
  payment !== null && payment.transfer !== null && isDecidedReal(payment.status);

const isDecidedReal = (status: PayLinkPaymentStatus): boolean =>
  status !== 'pending' && status !== 'rejected' && status !== 'unverifiable';

/** Decides the status of a payment from an observation of the chain. */
export function decide(it: Case): Decision {
  if (it.paysOrder)
    return it.payment?.status === 'rejected' ? same : { become: 'rejected', reason: paysAnOrder };
  if (it.payment?.isConfirmed) return { become: 'same', isFinal: true };
  switch (it.observation.kind) {
    case 'unavailable':
      return it.payment ? same : { become: 'pending' };
    case 'noNode':
      return it.payment ? same : decideWithoutNode(it, it.observation.receiverBalance);
    case 'unmined':
      return decideUnmined(it, it.observation.chainTimeMs);
    case 'mined':
      return decideMined(it, it.observation);
    case 'elsewhere':
      return decideElsewhere(it, it.observation);
  }
}

const same: Decision = { become: 'same', isFinal: false };

/** Without a node of the chain, a hash proves nothing, so the merchant decides. */
function decideWithoutNode(
  { link, taken, contestedFrom, nowMs }: Case,
  receiverBalance: bigint | null,
): Decision {
  const closed = closedReason(link, nowMs, 0);
  if (closed) return { become: 'rejected', reason: closed.reason };
  if (taken.length > 0) return { become: 'rejected', reason: alreadyCounted };
  if (contestedFrom !== null && leastTransfer(link) >= contestedFrom)
    return { become: 'rejected', reason: contested };
  return { become: 'unverifiable', receiverBalance };
}

function decideUnmined({ payment, nowMs }: Case, chainTimeMs: number): Decision {
  if (payment?.status === 'rejected') return same;
  if (payment === null || isReal(payment) || payment.transfer !== null) return { become: 'pending' };
  // The time of the chain must pass too. Otherwise a halted chain or a lagging node would expire payments.
  const waitedMs = Math.min(nowMs, chainTimeMs) - payment.pendingSinceMs;
  return waitedMs < expiresAfterMs
    ? same
    : { become: 'rejected', reason: 'The transaction was not mined within 24 hours.' };
}

function decideElsewhere(it: Case, { chain, read }: ElsewhereObservation): Decision {
  const strays = freeStrays(it, read, chain);
  if (strays.length > 0) return strayed(it.payment, strays, read.confirmations >= chain.confirmations);
  return it.payment ? same : { become: 'pending' };
}

/** The stray transfers that no other payment has claimed. */
function freeStrays(
  { link, finality, taken, isTakenWhole, yielding, named }: Case,
  mined: MinedTransfers,
  chain: Chain,
): Stray[] {
  if (isTakenWhole || named === 'other') return [];
  const strays = straysIn(link, mined, chain, finality.blockTimeMs);
  return strays.filter(({ logIndex }) => !taken.includes(logIndex) && !yielding.includes(logIndex));
}

/** A stray transfer is recorded for the merchant when it has enough confirmations. */
function strayed(payment: Payment | null, strays: readonly Stray[], isDeep: boolean): Decision {
  const { reason } = strays[0]!;
  if (payment && (isReal(payment) || payment.status === 'rejected'))
    return payment.status === 'rejected' ? same : { become: 'pending' };
  if (isDeep) return { become: 'rejected', reason: `${reason} The merchant was notified.`, strays };
  return payment?.transfer === null ? same : { become: 'pending', reason };
}

function decideMined(it: Case, observation: MinedTransfers): Decision {
  const { link, payment, finality, isSecond, named, nowMs } = it;
  const isDeep = observation.confirmations >= finality.confirmations;
  const isFinal = observation.confirmations >= finality.window;
  const isKnownBlock = payment?.block?.hash === observation.block.hash;
  if (isReal(payment) && isKnownBlock) return { become: 'same', isFinal };
  const transfer = freeTransfer(it, observation);
  if ('wrong' in transfer) {
    const strays = transfer.isElsewhere ? freeStrays(it, observation, it.chain) : [];
    return strays.length > 0 ? strayed(payment, strays, isDeep) : unpaid(payment, transfer.wrong, isDeep);
  }
  const parts = partsBeside(it, transfer);
  const before = parts.reduce((sum, { amount }) => sum + amount, 0n);
  const missing =
    transfer.amount + before < leastTransfer(link) ? tooLittle(link, transfer.amount, before) : undefined;
  // The earlier report has priority. The same block decides it, so the wait is short.
  if (isSecond && named !== 'this' && !payment?.transfer)
    return payment?.status === 'pending' ? same : { become: 'pending' };
  const paidAtMs = isKnownBlock ? payment.block!.paidAtMs : Math.min(observation.block.timeMs, nowMs);
  const { height, hash } = observation.block;
  const block = { height, hash, paidAtMs };
  if (!isDeep)
    return isKnownBlock && payment.status === 'pending'
      ? same
      : { become: 'pending', transfer, block, ...(missing !== undefined && { reason: missing }) };
  if (missing !== undefined) return { become: 'partial', reason: missing, transfer, block, isFinal };
  // A counted payment must not use up its own link.
  const own = payment?.status === 'counted' ? 1 : 0;
  const open = { ...link, paymentCount: link.paymentCount - own };
  const closed = closedReason(open, paidAtMs, finality.blockTimeMs);
  return {
    become: closed?.status ?? 'counted',
    transfer,
    block,
    isFinal,
    ...(!closed && parts.length > 0 && { parts }),
  };
}

/** The other partial payments of the same payer. None for a transfer that is large enough, or for an unknown payer. */
function partsBeside({ link, parts }: Case, { amount, payer }: Transfer): readonly Part[] {
  if (amount >= leastTransfer(link) || payer === null) return [];
  return parts.filter((part) => part.payer === payer);
}

/** The first unclaimed transfer that pays the link, or the reason that none does. */
function freeTransfer(
  { link, finality, taken, isTakenWhole, yielding, contestedFrom, named }: Case,
  mined: MinedTransfers,
): Transfer | NoTransfer {
  const found = transfersTo(link, mined, finality.blockTimeMs);
  if ('wrong' in found) return found;
  if (named === 'other') return { wrong: namesAnother };
  const free = isTakenWhole ? [] : found.filter(({ logIndex }) => !taken.includes(logIndex));
  if (free.length === 0) return { wrong: alreadyCounted };
  // A reference in the transaction proves that the payer intended this link.
  const isContested = ({ amount }: Transfer) => contestedFrom !== null && amount >= contestedFrom;
  const own = free.filter((transfer) => named === 'this' || !isContested(transfer));
  return own.find(({ logIndex }) => !yielding.includes(logIndex)) ?? own[0] ?? { wrong: contested };
}

/**
 * Rejects a new report immediately without storing it, because it can be reported again after a reorganisation. A
 * stored report is rejected only when it has enough confirmations.
 */
function unpaid(payment: Payment | null, reason: string, isDeep: boolean): Decision {
  if (payment?.status === 'rejected') return same;
  if (payment === null) return { become: 'rejected', reason };
  // A counted payment that was mined again with other content becomes pending first, so that its count is reverted.
  if (isReal(payment) || (!isDeep && payment.transfer !== null)) return { become: 'pending' };
  return isDeep ? { become: 'rejected', reason } : same;
}

type Closed = 'excess' | 'late' | 'inactive';

export const closedReasons: Readonly<Record<Closed, string>> = {
  inactive: 'The payment was made while the PayLink accepted no payments.',
  late: 'It was paid after the PayLink had expired.',
  excess: 'The PayLink already has its maximum number of payments.',
};

/** The reason that a link accepted no payment at that time; undefined when it did. */
export function closedReason(
  link: PayLink,
  atMs: number,
  blockTimeMs: number,
): { status: Closed; reason: string } | undefined {
  const status = wasClosed(link, atMs, blockTimeMs)
    ? 'inactive'
    : hasExpired(link, atMs)
      ? 'late'
      : isUsedUp(link)
        ? 'excess'
        : undefined;
  return status && { status, reason: closedReasons[status] };
}

const maxCheckPauseMs = 5 * 60_000;

/**
 * The time of the next check: at the chain's polling interval once a transfer was seen, otherwise at growing intervals.
 */
function nextCheckAt(
  payment: Pick<Payment, 'status' | 'transfer' | 'pendingSinceMs'>,
  nowMs: number,
  paceMs: number,
) {
  if (payment.status !== 'pending' || payment.transfer) return nowMs + paceMs;
  const pauseMs = Math.min((nowMs - payment.pendingSinceMs) / 8, maxCheckPauseMs);
  return nowMs + Math.max(pauseMs, paceMs);
}

/** The payment after a decision. */
export function afterDecision(
  before: Payment,
  decision: Decision,
  { nowMs, paceMs }: { nowMs: number; paceMs: number },
): Payment {
  if (decision.become === 'same') {
    const nextCheckAtMs =
      decision.isFinal || before.status === 'rejected' ? null : nextCheckAt(before, nowMs, paceMs);
    return { ...before, nextCheckAtMs };
  }
  const { become: status } = decision;
  const { transfer = null, block = null } =
    decision.become === 'rejected' || decision.become === 'unverifiable' ? {} : decision;
  const isClosed = status === 'excess' || status === 'late' || status === 'inactive';
  const isWaiting = status === 'pending' && before.status === 'pending';
  const after: Payment = {
    ...before,
    status,
    transfer,
    block,
    isVerified: isDecidedReal(status) && block !== null,
    isConfirmed: false,
    balanceAtReport: decision.become === 'unverifiable' ? decision.receiverBalance : before.balanceAtReport,
    reason: 'reason' in decision ? (decision.reason ?? null) : isClosed ? closedReasons[status] : null,
    valueUsd: null,
    partsAmount:
      'parts' in decision && decision.parts
        ? decision.parts.reduce((sum, { amount }) => sum + amount, 0n)
        : null,
    partOf: status === 'partial' && isSame(transfer, before.transfer) ? before.partOf : null,
    pendingSinceMs: isWaiting ? before.pendingSinceMs : nowMs,
    version: before.version + 1,
    decidedAtMs: status === 'pending' || status === 'unverifiable' ? null : nowMs,
  };
  const isOver =
    status === 'rejected' || status === 'unverifiable' || ('isFinal' in decision && decision.isFinal);
  return { ...after, nextCheckAtMs: isOver ? null : nextCheckAt(after, nowMs, paceMs) };
}

const isSame = (one: Transfer | null, other: Transfer | null): boolean =>
  one?.amount === other?.amount && one?.payer === other?.payer;

const rejectedByMerchant = 'The merchant rejected the payment.';

/**
 * Whether the payment waits for the merchant's decision. Earlier versions counted unverifiable reports without the
 * merchant's confirmation.
 */
export const isUndecided = ({ status, isVerified, isConfirmed }: Payment): boolean =>
  status === 'unverifiable' || (status === 'counted' && !isVerified && !isConfirmed);

/** The payment after the merchant's decision. */
export function decideUnverifiable(
  link: PayLink,
  before: Payment,
  { isConfirmed, nowMs }: { isConfirmed: boolean; nowMs: number },
): Payment {
  const transfer = { logIndex: ownValue, amount: leastAmount(link), payer: null };
  return {
    ...before,
    status: isConfirmed ? 'counted' : 'rejected',
    reason: isConfirmed ? null : rejectedByMerchant,
    transfer: isConfirmed ? transfer : null,
    isConfirmed,
    version: before.version + 1,
    nextCheckAtMs: null,
    decidedAtMs: nowMs,
  };
}
