import type { BuiltType, SentStatus, StepType, TransactionState } from '@tollbridge/contracts';
import type { RouteToken, SwapStep } from '@tollbridge/routing';

/** The events of a transaction set. */
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
 * The transition table of a set. Only a reorganisation leads to an earlier state. `mined`: the last transaction is in a
 * block. `unmined`: that block was reorged out.
 */
export const transitions: Record<TransactionState, Partial<Record<SetEvent, TransactionState>>> = {
  building: { built: 'built' },
  built: { signed: 'signing', expired: 'expired' },
  signing: { sending: 'submitting', failed: 'failed', expired: 'expired' },
  // After a crash between the broadcast and the commit, the transaction may already be mined.
  submitting: { sent: 'submitted', mined: 'confirming', failed: 'failed' },
  submitted: { mined: 'confirming', failed: 'failed' },
  confirming: { unmined: 'submitted', completed: 'completed', failed: 'failed' },
  completed: {},
  failed: {},
  expired: {},
};

/** @throws Error for an event that the state does not allow, which is a programming error */
export function nextState(state: TransactionState, event: SetEvent): TransactionState {
  const next = transitions[state][event];
  if (next === undefined) throw new Error(`no transition from ${state} by ${event}`);
  return next;
}

/** Wei per gas. A legacy transaction pays exactly `maxFeePerGas`. */
export interface GasFees {
  isLegacy: boolean;
  maxFeePerGas: bigint;
  maxPriorityFeePerGas: bigint;
}

/** The fields that a signature covers. */
export interface UnsignedTransaction {
  chainId: number;
  /** Checksummed address. */
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
  /** The gas that the build simulated. */
  gasUnits: bigint;
  signed: { raw: string; hash: string } | null;
  status: SentStatus;
  sentAtMs: number | null;
  /** The block that includes the transaction. */
  block: { height: number; hash: string } | null;
  minedAtMs: number | null;
  gasUsedUnits: bigint | null;
  gasPricePerGas: bigint | null;
  /** Confirmations including its own block, capped at the required number. */
  confirmations: number;
}

/** The transaction that paid the recipient, read from its chain. */
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
  /** The revert reason, or a text of this app. */
  reason: string;
  /** Whether the input has left the wallet without a refund. */
  isSpent?: boolean;
}

export interface TransactionSet {
  id: string;
  /** The caller that built the set; only it can read the set. */
  owner: string;
  quoteId: string;
  /** See `termsOf`. */
  terms: string;
  /** The id of the set that replaced this expired set. */
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
  /** The steps of the swap. Approvals are separate transactions. */
  steps: readonly SwapStep[];
  transactions: readonly SetTransaction[];
  estimatedSeconds: number;
  gasCostUsd: string | null;
  /** Dollars of gas that the group saves, on its first set only; null without a price. */
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

export const isFinal = ({ state }: Pick<TransactionSet, 'state'>): boolean =>
  state === 'completed' || state === 'failed' || state === 'expired';

/** Whether the set waits for signatures and none are stored. */
export const isUnsigned = ({
  state,
  transactions,
}: Pick<TransactionSet, 'state' | 'transactions'>): boolean =>
  state === 'built' && transactions.every(({ signed }) => signed === null);

export function transition(set: TransactionSet, event: SetEvent): TransactionSet {
  return { ...set, state: nextState(set.state, event) };
}

export function failed(set: TransactionSet, failure: SetFailure, nowMs: number): TransactionSet {
  return { ...transition(set, 'failed'), failure, endedAtMs: nowMs };
}

export const swapOf = (set: Pick<TransactionSet, 'transactions'>): SetTransaction => set.transactions.at(-1)!;

export const isAcross = ({ steps }: Pick<TransactionSet, 'steps'>): boolean =>
  steps.some(({ type }) => type === 'bridge');

/** Returns the first step of the swap transaction. */
export const firstStep = ({ steps }: Pick<TransactionSet, 'steps'>): StepType => steps[0]!.type;

export const stepOfTransaction = (set: TransactionSet, transaction: SetTransaction): StepType =>
  transaction.type === 'approval' ? 'approval' : firstStep(set);

/** The fields of a receipt that affect a set. */
export interface ReceiptView {
  succeeded: boolean;
  height: number;
  blockHash: string;
  gasUsed: bigint;
  gasPriceAtomic: bigint | null;
}

export interface ChainView {
  /** The height of the latest block. */
  height: number;
  /** Receipts by transaction hash; absent for a transaction that is in no block. */
  receipts: ReadonlyMap<string, ReceiptView>;
}

/** Applies the state of the chain to a set: mined transactions, reorganisations, and confirmations. */
export function applyChainView(set: TransactionSet, view: ChainView, nowMs: number): TransactionSet {
  const transactions = set.transactions.map((transaction) => applyReceipt(set, transaction, view, nowMs));
  const next = { ...set, transactions };
  const isMined = swapOf(next).block !== null;
  if (isMined && set.state !== 'confirming') return transition(next, 'mined');
  // The delivery may be reorged too, so it is searched for again.
  if (!isMined && set.state === 'confirming') return { ...transition(next, 'unmined'), delivery: null };
  return next;
}

function applyReceipt(
  { originConfirmations }: TransactionSet,
  transaction: SetTransaction,
  view: ChainView,
  nowMs: number,
): SetTransaction {
  const { signed, status, block } = transaction;
  if (signed === null) return transaction;
  const receipt = view.receipts.get(signed.hash);
  if (!receipt) {
    // A node that is behind does not prove a reorganisation.
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

/** Returns the confirmations of a block, capped at `required`. */
export const depthOf = ({ height }: { height: number }, head: number, required: number): number =>
  Math.min(required, Math.max(1, head - height + 1));

const unminedFields = {
  block: null,
  minedAtMs: null,
  gasUsedUnits: null,
  gasPricePerGas: null,
  confirmations: 0,
} as const;

/** Returns the index of the transaction to send now: all transactions before it have succeeded. */
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

/** Returns the total gas that the build simulated. */
export function gasEstimate({ transactions }: Pick<TransactionSet, 'transactions'>): bigint {
  return transactions.reduce((sum, { gasUnits }) => sum + gasUnits, 0n);
}

export function gasUsed({ transactions }: Pick<TransactionSet, 'transactions'>): bigint {
  return transactions.reduce((sum, { gasUsedUnits }) => sum + (gasUsedUnits ?? 0n), 0n);
}

/** Returns the cost of the mined transactions in wei; null if a gas price is missing. */
export function gasCost({ transactions }: Pick<TransactionSet, 'transactions'>): bigint | null {
  let sum = 0n;
  for (const { gasUsedUnits, gasPricePerGas } of transactions) {
    if (gasUsedUnits === null) continue;
    if (gasPricePerGas === null) return null;
    sum += gasUsedUnits * gasPricePerGas;
  }
  return sum;
}
