import type { PayLinkPaymentStatus } from '@tollbridge/contracts';
import { hasExpired, isUsedUp, leastAmount, wasClosed, type PayLink } from './paylink';
import { ownValue, paysAnOrder, transfersTo, type MinedTransaction, type Transfer } from './transfer';

/** Where a transaction stands in its chain. */
export interface PaidBlock {
  height: number;
  hash: string;
  /** When it was paid, as well as it is known: the block's time, and never after the moment in which it was first seen. */
  paidAtMs: number;
}

/** A transaction that was reported for a link. */
export interface Payment {
  id: string;
  linkId: string;
  chain: string;
  txHash: string;
  status: PayLinkPaymentStatus;
  /** Whether it was read on the chain. */
  isVerified: boolean;
  /** Whether the merchant confirmed it by hand, since nothing here can verify it. */
  isConfirmed: boolean;
  /** Why it is not counted, for people. */
  reason: string | null;
  /** The transfer that pays, once it was seen in a block: from then on it is no other link's. */
  transfer: Transfer | null;
  block: PaidBlock | null;
  valueUsd: string | null;
  /** What the receiver held when an unverifiable payment was reported; null where it was not read. */
  balanceAtReport: bigint | null;
  /** Whether the merchant was told that it counts: not again after a reorganisation. */
  isTold: boolean;
  pendingSinceMs: number;
  /** When the chain is looked at again; null when there is nothing more to see. */
  nextLookAtMs: number | null;
  version: number;
  recordedAtMs: number;
  decidedAtMs: number | null;
}

/** What a look at the chain has shown. */
export type Sight =
  /** Nobody answers, or the answers contradict each other: nothing is known. */
  | { kind: 'silent' }
  /** No node of this chain is configured: nothing will ever be known. What the receiver holds is no proof. */
  | { kind: 'blind'; receiverBalance: bigint | null }
  /** The transaction is in no block; `chainTimeMs` is the time of the newest one. */
  | { kind: 'unmined'; chainTimeMs: number }
  | (MinedTransaction & { kind: 'mined'; confirmations: number });

/** What a chain asks for. */
export interface Depth {
  /** Blocks before a payment counts. */
  confirmations: number;
  blockTimeMs: number;
}

interface Real {
  transfer: Transfer;
  block: PaidBlock | null;
}

export type Verdict =
  /** Nothing new; `isFinal` when nothing new can come. */
  | { become: 'same'; isFinal: boolean }
  /** With the transfer where one was seen that only lacks confirmations. */
  | ({ become: 'pending' } & Partial<Real>)
  | { become: 'rejected'; reason: string }
  /** No node can verify it: only the merchant decides. */
  | { become: 'unverifiable'; receiverBalance: bigint | null }
  | ({ become: 'counted' | 'excess' | 'late' | 'inactive'; isFinal: boolean } & Real);

export interface Case {
  link: PayLink;
  /** What is known of it; null for a new report. */
  payment: Payment | null;
  sight: Sight;
  depth: Depth;
  /** Places of the transfers of this transaction that other payments have. */
  taken: readonly number[];
  /** Whether another payment has one of them, and it is not known which. */
  isTakenWhole: boolean;
  /** Places that other payments have, and that give way to this one. */
  yielding: readonly number[];
  /** Whether an earlier report of this transaction, for another link of the same receiver, has none yet. */
  isSecond: boolean;
  /**
   * The link's receiver is unproven, and proven by another merchant: transfers of this amount or more may pay a link of
   * that merchant. null otherwise.
   */
  contestedFrom: bigint | null;
  /** Which link the transaction names in its data. */
  named: 'this' | 'other' | 'none';
  /** Whether the transaction settles an order, as the pay service says. */
  paysOrder: boolean;
  nowMs: number;
}

// Longer than any wallet waits before it sends a transaction again, or gives it up.
const givenUpAfterMs = 24 * 60 * 60_000;
export const alreadyCounted = 'The transaction already counts as the payment of another PayLink.';
export const contested =
  'Another merchant has proven the receiving address and has a PayLink that this pays. Report it there, or prove the address for this wallet.';
const namesAnother = 'The transaction names another PayLink in its data.';
/** Why a payment gives way to the one of a merchant who has proven the receiving address. */
export const claimedByOwner =
  'The transaction pays a PayLink of the merchant who has proven the receiving address.';

const isReal = (payment: Payment | null): payment is Payment & Real =>
  payment !== null && payment.transfer !== null && isDecidedReal(payment.status);

const isDecidedReal = (status: PayLinkPaymentStatus): boolean =>
  status !== 'pending' && status !== 'rejected' && status !== 'unverifiable';

/** What a look at the chain means for a payment. */
export function judge(it: Case): Verdict {
  if (it.paysOrder)
    return it.payment?.status === 'rejected' ? same : { become: 'rejected', reason: paysAnOrder };
  if (it.payment?.isConfirmed) return { become: 'same', isFinal: true };
  switch (it.sight.kind) {
    case 'silent':
      return it.payment ? same : { become: 'pending' };
    case 'blind':
      return it.payment ? same : judgeBlind(it, it.sight.receiverBalance);
    case 'unmined':
      return judgeUnmined(it, it.sight.chainTimeMs);
    case 'mined':
      return judgeMined(it, it.sight);
  }
}

const same: Verdict = { become: 'same', isFinal: false };

/** Kept for the merchant to decide: without a node of the chain, a hash proves nothing. */
function judgeBlind({ link, taken, contestedFrom, nowMs }: Case, receiverBalance: bigint | null): Verdict {
  const closed = closedReason(link, nowMs, 0);
  if (closed) return { become: 'rejected', reason: closed.reason };
  if (taken.length > 0) return { become: 'rejected', reason: alreadyCounted };
  if (contestedFrom !== null && leastAmount(link) >= contestedFrom)
    return { become: 'rejected', reason: contested };
  return { become: 'unverifiable', receiverBalance };
}

function judgeUnmined({ payment, nowMs }: Case, chainTimeMs: number): Verdict {
  if (payment?.status === 'rejected') return same;
  if (payment === null || isReal(payment) || payment.transfer !== null) return { become: 'pending' };
  // A chain that stands still, and a node that lags, let no time pass.
  const waitedMs = Math.min(nowMs, chainTimeMs) - payment.pendingSinceMs;
  return waitedMs < givenUpAfterMs
    ? same
    : { become: 'rejected', reason: 'The transaction was not mined within 24 hours.' };
}

function judgeMined(it: Case, sight: Sight & { kind: 'mined' }): Verdict {
  const { link, payment, depth, isSecond, named, nowMs } = it;
  const isDeep = sight.confirmations >= depth.confirmations;
  const isFinal = sight.confirmations >= depth.confirmations * 2;
  const isKnownBlock = payment?.block?.hash === sight.receipt.blockHash;
  if (isReal(payment) && isKnownBlock) return { become: 'same', isFinal };
  const transfer = freeTransfer(it, sight);
  if ('wrong' in transfer) return unpaid(payment, transfer.wrong, isDeep);
  // The first one to be reported has the first choice; it is judged by the same block, so this is soon decided.
  if (isSecond && named !== 'this' && !payment?.transfer)
    return payment?.status === 'pending' ? same : { become: 'pending' };
  const paidAtMs = isKnownBlock ? payment.block!.paidAtMs : Math.min(sight.minedAtMs, nowMs);
  const block = { height: sight.receipt.height, hash: sight.receipt.blockHash, paidAtMs };
  if (!isDeep)
    return isKnownBlock && payment.status === 'pending' ? same : { become: 'pending', transfer, block };
  // A payment that counts already must not find the link used up by itself.
  const own = payment?.status === 'counted' ? 1 : 0;
  const open = { ...link, paymentCount: link.paymentCount - own };
  const closed = closedReason(open, paidAtMs, depth.blockTimeMs);
  return { become: closed?.status ?? 'counted', transfer, block, isFinal };
}

/** The first transfer that pays the link and is no other link's, or why there is none. */
function freeTransfer(
  { link, depth, taken, isTakenWhole, yielding, contestedFrom, named }: Case,
  mined: MinedTransaction,
): Transfer | { wrong: string } {
  const found = transfersTo(link, mined, depth.blockTimeMs);
  if ('wrong' in found) return found;
  if (named === 'other') return { wrong: namesAnother };
  const free = isTakenWhole ? [] : found.filter(({ logIndex }) => !taken.includes(logIndex));
  if (free.length === 0) return { wrong: alreadyCounted };
  // A payer who names the link in the transaction pays no other.
  const isContested = ({ amount }: Transfer) => contestedFrom !== null && amount >= contestedFrom;
  const own = free.filter((transfer) => named === 'this' || !isContested(transfer));
  return own.find(({ logIndex }) => !yielding.includes(logIndex)) ?? own[0] ?? { wrong: contested };
}

/**
 * A new report is refused at once and not kept: should a reorganisation make it right, it can be made again. What was
 * kept is decided where a reorganisation is not to be expected any more.
 */
function unpaid(payment: Payment | null, reason: string, isDeep: boolean): Verdict {
  if (payment?.status === 'rejected') return same;
  if (payment === null) return { become: 'rejected', reason };
  // What counted has been mined again as something else: it is pending first, so that it is taken back in any case.
  if (isReal(payment) || (!isDeep && payment.transfer !== null)) return { become: 'pending' };
  return isDeep ? { become: 'rejected', reason } : same;
}

type Closed = 'excess' | 'late' | 'inactive';

export const closedReasons: Readonly<Record<Closed, string>> = {
  inactive: 'It was paid while the PayLink took no payments.',
  late: 'It was paid after the PayLink had expired.',
  excess: 'The PayLink had all its payments already.',
};

/** Why a link took no payment at that moment. */
function closedReason(
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

const longestPauseMs = 5 * 60_000;

/** When to look again: soon where a block may bring something, ever more seldom for what nobody has seen. */
function nextLookAt(
  payment: Pick<Payment, 'status' | 'transfer' | 'pendingSinceMs'>,
  nowMs: number,
  paceMs: number,
) {
  if (payment.status !== 'pending' || payment.transfer) return nowMs + paceMs;
  const pauseMs = Math.min((nowMs - payment.pendingSinceMs) / 8, longestPauseMs);
  return nowMs + Math.max(pauseMs, paceMs);
}

/** The payment after a verdict. */
export function afterVerdict(
  before: Payment,
  verdict: Verdict,
  { nowMs, paceMs }: { nowMs: number; paceMs: number },
): Payment {
  if (verdict.become === 'same') {
    const nextLookAtMs =
      verdict.isFinal || before.status === 'rejected' ? null : nextLookAt(before, nowMs, paceMs);
    return { ...before, nextLookAtMs };
  }
  const { become: status } = verdict;
  const { transfer = null, block = null } =
    verdict.become === 'rejected' || verdict.become === 'unverifiable' ? {} : verdict;
  const isClosed = status === 'excess' || status === 'late' || status === 'inactive';
  const isWaiting = status === 'pending' && before.status === 'pending';
  const after: Payment = {
    ...before,
    status,
    transfer,
    block,
    isVerified: isDecidedReal(status) && block !== null,
    isConfirmed: false,
    balanceAtReport: verdict.become === 'unverifiable' ? verdict.receiverBalance : before.balanceAtReport,
    reason: status === 'rejected' ? verdict.reason : isClosed ? closedReasons[status] : null,
    valueUsd: null,
    pendingSinceMs: isWaiting ? before.pendingSinceMs : nowMs,
    version: before.version + 1,
    decidedAtMs: status === 'pending' || status === 'unverifiable' ? null : nowMs,
  };
  const isOver =
    status === 'rejected' || status === 'unverifiable' || ('isFinal' in verdict && verdict.isFinal);
  return { ...after, nextLookAtMs: isOver ? null : nextLookAt(after, nowMs, paceMs) };
}

const rejectedByMerchant = 'The merchant rejected the payment.';

/**
 * Whether it waits for the merchant's decision. Earlier versions counted reports that no node could verify, without any
 * confirmation by the merchant.
 */
export const isUndecided = ({ status, isVerified, isConfirmed }: Payment): boolean =>
  status === 'unverifiable' || (status === 'counted' && !isVerified && !isConfirmed);

/** What the merchant's own decision makes of a payment that nothing here can verify. */
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
    nextLookAtMs: null,
    decidedAtMs: nowMs,
  };
}
