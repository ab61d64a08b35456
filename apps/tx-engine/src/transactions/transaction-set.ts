import type { BuiltType, SentStatus, StepType, TransactionState } from '@tollbridge/contracts';
import type { RouteToken, SwapStep } from '@tollbridge/routing';

/** What can happen to a set of transactions. */
export const setEvents = [
  'built',
  'signed',
  'sending',
  'sent',
  'mined',
  'unmined',
  'completed',
  'failed',
  'expired',
] as const;
export type SetEvent = (typeof setEvents)[number];

/**
 * The life of a set. What is absent cannot happen. Nothing goes back but by a reorganisation of the chain: `mined`
 * means that the last transaction is in a block, and `unmined` that its block is gone.
 */
export const transitions: Record<TransactionState, Partial<Record<SetEvent, TransactionState>>> = {
  building: { built: 'built' },
  built: { signed: 'signing', expired: 'expired' },
  signing: { sending: 'submitting', failed: 'failed', expired: 'expired' },
  // A process that was killed after it had sent finds the transaction mined.
  submitting: { sent: 'submitted', mined: 'confirming', failed: 'failed' },
  submitted: { mined: 'confirming', failed: 'failed' },
  confirming: { unmined: 'submitted', completed: 'completed', failed: 'failed' },
  completed: {},
  failed: {},
  expired: {},
};

/** @throws Error when it cannot happen in this state: a fault of the caller. */
export function after(state: TransactionState, event: SetEvent): TransactionState {
  const next = transitions[state][event];
  if (next === undefined) throw new Error(`a set that is ${state} cannot be ${event}`);
  return next;
}

/** Wei per gas. A transaction of the old form (`isLegacy`) pays `maxFeePerGas`, whatever the block asks. */
export interface GasFees {
  isLegacy: boolean;
  maxFeePerGas: bigint;
  maxPriorityFeePerGas: bigint;
}

/** Everything that a signature fixes. */
export interface UnsignedTransaction {
  chainId: number;
  /** Checksummed. */
  to: string;
  /** Lower-case hex. */
  data: string;
  valueAtomic: bigint;
  gasLimitUnits: bigint;
  nonce: number;
  fees: GasFees;
}

export interface SetTransaction extends UnsignedTransaction {
  type: BuiltType;
  description: string;
  /** As simulated when it was built. */
  gasUnits: bigint;
  signed: { raw: string; hash: string } | null;
  status: SentStatus;
  sentAtMs: number | null;
  /** Where it was mined. */
  block: { height: number; hash: string } | null;
  minedAtMs: number | null;
  gasUsedUnits: bigint | null;
  gasPricePerGas: bigint | null;
  /** Blocks on top of its own, its own included; as many as it needs are counted. */
  confirmations: number;
}

/** The transaction that paid the recipient, read on its chain. */
export interface Delivery {
  txHash: string;
  height: number;
  blockHash: string;
  amountAtomic: bigint;
  confirmations: number;
  atMs: number;
}

export interface SetFailure {
  step: StepType;
  txHash: string | null;
  /** As the contract or the chain says it, or in our words. */
  reason: string;
  /** What was swapped has left the wallet, and was not given back. */
  isSpent?: boolean;
}

export interface TransactionSet {
  id: string;
  /** Who may see it. */
  owner: string;
  quoteId: string;
  /** What it was asked to be, see `termsOf`. */
  terms: string;
  /** Of an expired set: the one that was built in its place. */
  replacedBy: string | null;
  batchId: string | null;
  state: TransactionState;
  version: number;
  provider: string;
  from: RouteToken;
  to: RouteToken;
  user: string;
  recipient: string;
  amountInAtomic: bigint;
  amountOutAtomic: bigint;
  minAmountOutAtomic: bigint;
  /** What the swap does, step by step; approvals are transactions of their own. */
  steps: readonly SwapStep[];
  transactions: readonly SetTransaction[];
  estimatedSeconds: number;
  gasCostUsd: string | null;
  /** Dollars of gas that building it with others has saved, on the first set of a group; null without a price. */
  savedUsd: string | null;
  validUntilMs: number;
  originConfirmations: number;
  destinationConfirmations: number;
  delivery: Delivery | null;
  failure: SetFailure | null;
  createdAtMs: number;
  executedAtMs: number | null;
  endedAtMs: number | null;
}

export const isOver = ({ state }: Pick<TransactionSet, 'state'>): boolean =>
  state === 'completed' || state === 'failed' || state === 'expired';

/** Whether it waits for signatures, and none were given. */
export const isUnsigned = ({
  state,
  transactions,
}: Pick<TransactionSet, 'state' | 'transactions'>): boolean =>
  state === 'built' && transactions.every(({ signed }) => signed === null);

export function moved(set: TransactionSet, event: SetEvent): TransactionSet {
  return { ...set, state: after(set.state, event) };
}

export function failed(set: TransactionSet, failure: SetFailure, nowMs: number): TransactionSet {
  return { ...moved(set, 'failed'), failure, endedAtMs: nowMs };
}

export const swapOf = (set: Pick<TransactionSet, 'transactions'>): SetTransaction => set.transactions.at(-1)!;

export const isAcross = ({ steps }: Pick<TransactionSet, 'steps'>): boolean =>
  steps.some(({ type }) => type === 'bridge');

/** The first thing that the swap transaction itself does. */
export const firstStep = ({ steps }: Pick<TransactionSet, 'steps'>): StepType => steps[0]!.type;

export const stepOfTransaction = (set: TransactionSet, transaction: SetTransaction): StepType =>
  transaction.type === 'approval' ? 'approval' : firstStep(set);

/** A receipt, as far as the life of a set depends on it. */
export interface SeenReceipt {
  succeeded: boolean;
  height: number;
  blockHash: string;
  gasUsed: bigint;
  gasPriceAtomic: bigint | null;
}

export interface ChainView {
  /** Of the newest block. */
  height: number;
  /** By transaction hash; absent for those that are in no block. */
  receipts: ReadonlyMap<string, SeenReceipt>;
}

/** The set as its chain shows it: what is mined, what no longer is, and how deep. */
export function seen(set: TransactionSet, view: ChainView, nowMs: number): TransactionSet {
  const transactions = set.transactions.map((transaction) => seenTransaction(set, transaction, view, nowMs));
  const next = { ...set, transactions };
  const isMined = swapOf(next).block !== null;
  if (isMined && set.state !== 'confirming') return moved(next, 'mined');
  // What was delivered on its strength may be gone too: it is looked for anew.
  if (!isMined && set.state === 'confirming') return { ...moved(next, 'unmined'), delivery: null };
  return next;
}

function seenTransaction(
  { originConfirmations }: TransactionSet,
  transaction: SetTransaction,
  view: ChainView,
  nowMs: number,
): SetTransaction {
  const { signed, status, block } = transaction;
  if (signed === null) return transaction;
  const receipt = view.receipts.get(signed.hash);
  if (!receipt) {
    // A node that has not come so far does not show that the block is gone.
    const isGone = block !== null && view.height >= block.height;
    return isGone ? { ...transaction, ...unminedFields, status: 'pending' } : transaction;
  }
  return {
    ...transaction,
    status: receipt.succeeded ? 'confirmed' : 'failed',
    sentAtMs: transaction.sentAtMs ?? nowMs,
    block: { height: receipt.height, hash: receipt.blockHash },
    minedAtMs: status === 'confirmed' || status === 'failed' ? transaction.minedAtMs : nowMs,
    gasUsedUnits: receipt.gasUsed,
    gasPricePerGas: receipt.gasPriceAtomic,
    confirmations: depthOf(receipt, view.height, originConfirmations),
  };
}

/** The blocks from a block to the newest one, both included; as many as are needed. */
export const depthOf = ({ height }: { height: number }, head: number, required: number): number =>
  Math.min(required, Math.max(1, head - height + 1));

const unminedFields = {
  block: null,
  minedAtMs: null,
  gasUsedUnits: null,
  gasPricePerGas: null,
  confirmations: 0,
} as const;

/** The one to send now: everything before it is mined and succeeded. */
export function nextToSend({ transactions }: Pick<TransactionSet, 'transactions'>): number | undefined {
  const index = transactions.findIndex(({ status }) => status === 'waiting');
  const isReady = transactions.slice(0, Math.max(index, 0)).every(({ status }) => status === 'confirmed');
  return index >= 0 && isReady ? index : undefined;
}

export function withTransaction(
  set: TransactionSet,
  index: number,
  changes: Partial<SetTransaction>,
): TransactionSet {
  const transactions = set.transactions.map((transaction, at) =>
    at === index ? { ...transaction, ...changes } : transaction,
  );
  return { ...set, transactions };
}

/** As simulated when they were built. */
export function gasEstimate({ transactions }: Pick<TransactionSet, 'transactions'>): bigint {
  return transactions.reduce((sum, { gasUnits }) => sum + gasUnits, 0n);
}

export function gasUsed({ transactions }: Pick<TransactionSet, 'transactions'>): bigint {
  return transactions.reduce((sum, { gasUsedUnits }) => sum + (gasUsedUnits ?? 0n), 0n);
}

/** Wei that the mined ones cost; null where the node did not say the price. */
export function gasCost({ transactions }: Pick<TransactionSet, 'transactions'>): bigint | null {
  let sum = 0n;
  for (const { gasUsedUnits, gasPricePerGas } of transactions) {
    if (gasUsedUnits === null) continue;
    if (gasPricePerGas === null) return null;
    sum += gasUsedUnits * gasPricePerGas;
  }
  return sum;
}
