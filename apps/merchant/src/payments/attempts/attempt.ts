import type { AttemptOutcome, PaymentAttempt, PaymentStatus, SubmittedTxState } from '@tollbridge/contracts';

/** In the state `over`, the attempt neither blocks nor warns, and its row only counts declines. */
export type StoredAttemptState = 'asking' | 'sent' | 'failed' | 'over';

/** An attempt to pay a request: a wallet is opened, and its transaction is in flight until the chain decides. */
export interface Attempt {
  requestId: string;
  paymentId: string;
  orderId: string;
  /** The version of the order that the payer saw. A later event with the payment ends the attempt. */
  orderVersion: number;
  holder: string;
  state: StoredAttemptState;
  txHash: string | null;
  /** Whether the attempt only warns, and does not block, until the chain shows its transaction. */
  isWeak: boolean;
  declines: number;
  startedAtMs: number;
  blocksUntilMs: number;
  /** When the transaction is looked up next; null when no lookup is planned. */
  checkAtMs: number | null;
}

/** One browser tab of a payer. */
export interface Tab {
  holder: string;
  /** The version of the order that the tab shows. */
  version: number;
  /** Whether the payer pays again after a warning. */
  isWarned: boolean;
}

/** The payment of the attempt, and its request. */
export interface Attempted {
  requestId: string;
  paymentId: string;
  orderId: string;
  orderVersion: number;
  status: PaymentStatus;
  /** Whether the request accepts this payment: it was not cancelled before, and the chain shows no complete payment. */
  isPayable: boolean;
  /** Whether the chain shows another payment of the request, or the request is paid. */
  isPaidElsewhere: boolean;
}

// A tab renews its attempt every 15 seconds. Browsers reduce the timers of hidden tabs to one call a minute.
const askMs = 75_000;
// Anyone with the id of the request may open a wallet. An attempt without a transaction blocks for at most this time.
const longestAskMs = 150_000;
// A wallet broadcasts immediately, and a transaction reaches the other nodes within seconds.
const unseenMs = 120_000;
// The chain shows the transaction, but it is not final.
const shownMs = 10 * 60_000;
// A payer declines a few times. More declines indicate an abuse that blocks other payers.
const mostDeclines = 5;
const firstCheckMs = 1_000;
const mostCheckPauseMs = 60_000;
// Later, the watchers of the chain find the payment, so no lookup is needed.
const checkedForMs = 60 * 60_000;

export function isBlocking({ state, isWeak, blocksUntilMs }: Attempt, nowMs: number): boolean {
  return (state === 'asking' || state === 'sent') && !isWeak && nowMs < blocksUntilMs;
}

/** Whether the attempt may have paid, or has failed. The payer pays again only after a warning. */
const needsWarning = ({ state }: Attempt): boolean => state !== 'over';

/** The attempt as the pages show it; null without one. */
export function attemptView(attempt: Attempt | undefined, nowMs: number): PaymentAttempt | null {
  if (!attempt || attempt.state === 'over') return null;
  const { paymentId, txHash, blocksUntilMs } = attempt;
  const isBlocked = isBlocking(attempt, nowMs);
  const state = attempt.state === 'failed' ? 'failed' : isBlocked ? attempt.state : 'unknown';
  return {
    payment_id: paymentId,
    state,
    tx_hash: txHash,
    until: isBlocked ? new Date(blocksUntilMs).toISOString() : null,
  };
}

type Change = { outcome: AttemptOutcome; attempt?: Attempt };

/** Starts an attempt before a wallet is opened. Only one tab of all pages of a request may have an attempt. */
export function ask(before: Attempt | undefined, paid: Attempted, tab: Tab, nowMs: number): Change {
  const closed = closedOutcome(paid, tab);
  if (closed) return { outcome: closed };
  if (before && isBlocking(before, nowMs)) return { outcome: 'busy' };
  if (before && needsWarning(before) && !tab.isWarned) return { outcome: 'warn' };
  const declines = before?.declines ?? 0;
  const isUnresolved = before !== undefined && (before.state === 'asking' || before.state === 'sent');
  const attempt: Attempt = {
    ...idsOf(paid),
    holder: tab.holder,
    state: 'asking',
    txHash: null,
    isWeak: isUnresolved || declines >= mostDeclines,
    declines,
    startedAtMs: nowMs,
    blocksUntilMs: nowMs + askMs,
    checkAtMs: null,
  };
  return { outcome: 'held', attempt };
}

function closedOutcome(paid: Attempted, { version }: Tab): AttemptOutcome | undefined {
  if (paid.status !== 'executing' || !paid.isPayable || paid.isPaidElsewhere) return 'closed';
  return version < paid.orderVersion ? 'stale' : undefined;
}

/** Renews an attempt while the wallet has not answered. */
export function renew(before: Attempt | undefined, { holder }: Tab, nowMs: number): Change {
  if (before?.state !== 'asking' || before.holder !== holder) return { outcome: 'busy' };
  const blocksUntilMs = Math.min(nowMs + askMs, before.startedAtMs + longestAskMs);
  return { outcome: 'held', attempt: { ...before, blocksUntilMs } };
}

/** Ends an attempt when the wallet has sent nothing. */
export function decline(before: Attempt | undefined, { holder }: Tab): Change {
  if (before?.state !== 'asking' || before.holder !== holder) return { outcome: 'held' };
  return { outcome: 'held', attempt: { ...before, state: 'over', declines: before.declines + 1 } };
}

/** Handles an error of a wallet that may have sent something: the payer may pay again immediately, after a warning. */
export function doubt(before: Attempt | undefined, { holder }: Tab, nowMs: number): Change {
  if (before?.state !== 'asking' || before.holder !== holder) return { outcome: 'held' };
  return { outcome: 'held', attempt: { ...before, blocksUntilMs: nowMs } };
}

/**
 * Records a transaction that a wallet has sent, perhaps for a tab that has lost its attempt. Anyone may submit a hash.
 * So a hash next to an attempt without an outcome does not block until the chain shows it.
 */
export function send(
  before: Attempt | undefined,
  paid: Attempted,
  { holder, version, txHash }: Pick<Tab, 'holder' | 'version'> & { txHash: string | null },
  nowMs: number,
): Change {
  if (paid.status !== 'executing' || paid.isPaidElsewhere) return { outcome: 'closed' };
  const isOwn = before?.state === 'asking' && before.holder === holder;
  const isKnown = before?.state === 'sent' && (before.txHash === txHash || txHash === null);
  // The transaction of the attempt is on the chain, or was submitted first and is being verified.
  if (isKnown || (before?.state === 'sent' && isBlocking(before, nowMs))) return { outcome: 'held' };
  const isBeside = before !== undefined && before.state !== 'over' && !isOwn;
  const attempt: Attempt = {
    ...idsOf(paid),
    orderVersion: isOwn ? before.orderVersion : version,
    holder,
    state: 'sent',
    txHash,
    isWeak: isBeside || (isOwn && before.isWeak),
    declines: before?.declines ?? 0,
    startedAtMs: nowMs,
    blocksUntilMs: nowMs + unseenMs,
    checkAtMs: txHash === null ? null : nowMs + firstCheckMs,
  };
  return { outcome: 'held', attempt };
}

const idsOf = ({ requestId, paymentId, orderId, orderVersion }: Attempted) => ({
  requestId,
  paymentId,
  orderId,
  orderVersion,
});

/**
 * The attempt after a lookup of its transaction. @param shown the state on the chain; undefined when no node answers
 */
export function verify(before: Attempt, shown: SubmittedTxState | undefined, nowMs: number): Attempt {
  const ageMs = nowMs - before.startedAtMs;
  const pauseMs = Math.min(Math.max(ageMs / 4, firstCheckMs), mostCheckPauseMs);
  const checkAtMs = ageMs < checkedForMs ? nowMs + pauseMs : null;
  switch (shown) {
    case 'failed':
      return { ...before, state: 'failed', checkAtMs: null };
    case 'unrelated':
      return { ...before, state: 'over', checkAtMs: null };
    case 'paying':
      return { ...before, isWeak: false, blocksUntilMs: nowMs + shownMs, checkAtMs };
    case 'pending':
    case 'mined':
      return { ...before, isWeak: false, blocksUntilMs: before.startedAtMs + shownMs, checkAtMs };
    // No node has the transaction, or none answers.
    case 'unseen':
    case undefined:
      return { ...before, checkAtMs };
  }
}

/**
 * Whether the order ends the attempt: the chain shows the payment, or the order does not wait for a payment any more.
 */
export const isEndedBy = (
  { orderVersion }: Attempt,
  order: { version: number; isSeen: boolean; status: PaymentStatus },
): boolean => order.version > orderVersion && (order.isSeen || order.status !== 'executing');
