import type { AttemptOutcome, PaymentAttempt, PaymentStatus, SubmittedTxState } from '@tollbridge/contracts';

/** `over`: it neither blocks nor warns; its row still counts declines. */
export type StoredAttemptState = 'asking' | 'sent' | 'failed' | 'over';

/** An attempt to pay a request: a wallet is asked, then its transaction is in flight until the chain decides. */
export interface Attempt {
  requestId: string;
  paymentId: string;
  orderId: string;
  /** Version of the order that the payer saw: a later event with the payment ends the attempt. */
  orderVersion: number;
  holder: string;
  state: StoredAttemptState;
  txHash: string | null;
  /** Warns, and does not block, until the chain shows its transaction. */
  isWeak: boolean;
  declines: number;
  startedAtMs: number;
  blocksUntilMs: number;
  /** When the chain is asked for the transaction next; null when it is not. */
  checkAtMs: number | null;
}

/** One tab of a payer. */
export interface Tab {
  holder: string;
  /** Version of the order that it shows. */
  version: number;
  /** The payer pays again after a warning. */
  isWarned: boolean;
}

/** The payment that is attempted, and its request. */
export interface Attempted {
  requestId: string;
  paymentId: string;
  orderId: string;
  orderVersion: number;
  status: PaymentStatus;
  /** The request was not canceled before the payment, and the chain shows no payment or an incomplete deposit. */
  isPayable: boolean;
  /** The chain shows another payment of the request, or the request is paid. */
  isPaidElsewhere: boolean;
}

// A tab renews every 15 seconds; browsers slow the timers of hidden tabs down to one a minute.
const askMs = 75_000;
// Strangers who know the request may ask too: no attempt without a transaction blocks for longer.
const longestAskMs = 150_000;
// A wallet broadcasts immediately, and nodes exchange transactions within seconds.
const unseenMs = 120_000;
// The chain shows the transaction, which is not final.
const shownMs = 10 * 60_000;
// A payer declines a few times. More declines block others.
const mostDeclines = 5;
const firstCheckMs = 1_000;
const mostCheckPauseMs = 60_000;
// Nothing follows from what a chain shows later: its watchers find payments.
const checkedForMs = 60 * 60_000;

export function isBlocking({ state, isWeak, blocksUntilMs }: Attempt, nowMs: number): boolean {
  return (state === 'asking' || state === 'sent') && !isWeak && nowMs < blocksUntilMs;
}

/** An attempt that may have paid, or has failed: the payer pays again only after a warning. */
const needsWarning = ({ state }: Attempt): boolean => state !== 'over';

/** The attempt as the pages show it; null for none. */
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

/** Before a wallet is asked: one tab of all pages of a request may. */
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

/** While the wallet has not answered. */
export function renew(before: Attempt | undefined, { holder }: Tab, nowMs: number): Change {
  if (before?.state !== 'asking' || before.holder !== holder) return { outcome: 'busy' };
  const blocksUntilMs = Math.min(nowMs + askMs, before.startedAtMs + longestAskMs);
  return { outcome: 'held', attempt: { ...before, blocksUntilMs } };
}

/** The wallet sent nothing. */
export function decline(before: Attempt | undefined, { holder }: Tab): Change {
  if (before?.state !== 'asking' || before.holder !== holder) return { outcome: 'held' };
  return { outcome: 'held', attempt: { ...before, state: 'over', declines: before.declines + 1 } };
}

/** The wallet reported a problem, and may have sent something: the payer pays again after a warning, immediately. */
export function doubt(before: Attempt | undefined, { holder }: Tab, nowMs: number): Change {
  if (before?.state !== 'asking' || before.holder !== holder) return { outcome: 'held' };
  return { outcome: 'held', attempt: { ...before, blocksUntilMs: nowMs } };
}

/**
 * A wallet sent a transaction, perhaps for a tab that has lost its attempt. Anyone may submit a hash: one beside an
 * attempt without an outcome does not block until the chain shows it.
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
  // Its transaction is on the chain, or was submitted first and is being verified.
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

/** State of the submitted transaction on the chain. */
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
    // No node has it, or none answers.
    case 'unseen':
    case undefined:
      return { ...before, checkAtMs };
  }
}

/** Whether the order ended the attempt: the chain shows the payment, or no payment is awaited any more. */
export const isEndedBy = (
  { orderVersion }: Attempt,
  order: { version: number; isSeen: boolean; status: PaymentStatus },
): boolean => order.version > orderVersion && (order.isSeen || order.status !== 'executing');
