import { mapBounded } from '@tollbridge/chain-nodes';
import type { BlockRef, Payment, PaymentUpdate } from '@tollbridge/chain-port';
import type { SolanaNode } from '../solana-node';
import type { ListedSignature, SolanaBlock } from '../solana-types';
import type { Backlog } from './backlog';
import { forkPoint } from './fork-point';
import { readHead } from './read-head';
import { paymentsIn, type PaymentInTransaction } from './read-payments';
import { signaturesAfter } from './signatures-after';

// Each transaction needs two requests, and the caller stores the payments of one step in one database transaction.
const transactionsAStep = 64;

export interface FollowedPrograms {
  programs: readonly string[];
  /** The first slot to read. */
  startHeight: number;
  backlog: Backlog;
}

/**
 * Returns the next step from the stored blocks to the head, read from one node. Blocks without payments are not read.
 * The parent of a block here is the block that was stored before it.
 * @throws ProviderError if the node cannot prove that it has all payments up to its head
 */
export async function nextUpdate(
  node: SolanaNode,
  known: readonly BlockRef[],
  { programs, startHeight, backlog }: FollowedPrograms,
): Promise<PaymentUpdate> {
  const { head, finalizedSlot } = await readHead(node);
  const last = known.at(-1);
  const after = last?.height ?? startHeight - 1;
  if (head.height < after) return { kind: 'idle', head: toBlockRef(head) };
  if (last) {
    const to = await forkPoint(node, known, { head, finalizedSlot });
    if (to) {
      const removed = known.filter(({ height }) => height > to.height).length;
      return { kind: 'rollback', to, removed, head: toBlockRef(head) };
    }
  }
  if (head.height === after) return { kind: 'idle', head: toBlockRef(head) };
  const { listed, end } = backlog.after(last) ?? {
    listed: await signaturesAfter(node, programs, { after, head: head.height }),
    end: head,
  };
  const step = firstStep(listed);
  const newest = step.rest.length === 0 ? end : await node.blockAt(step.slot);
  const payments = await readStep(node, step.signatures, programs);
  if (step.rest.length > 0) await backlog.keep(node, newest, step.rest, finalizedSlot);
  const block = { ...toBlockRef(newest), parentHash: last?.hash ?? newest.parentHash };
  return { kind: 'advance', blocks: [block], payments, head: toBlockRef(head) };
}

export const toBlockRef = ({ height, hash, parentHash, timeMs }: SolanaBlock): BlockRef => ({
  height,
  hash,
  parentHash,
  timeMs,
});

interface Step {
  signatures: readonly ListedSignature[];
  /** The last slot of the step. The step contains all signatures of this slot. */
  slot: number;
  /** The signatures after the step. */
  rest: readonly ListedSignature[];
}

/** Returns the oldest signatures in ascending order, including all signatures of their last slot. */
function firstStep(ascending: readonly ListedSignature[]): Step {
  const slot = ascending[transactionsAStep - 1]?.slot ?? Infinity;
  const count = ascending.findIndex((it) => it.slot > slot);
  if (count < 0) return { signatures: ascending, slot, rest: [] };
  return { signatures: ascending.slice(0, count), slot, rest: ascending.slice(count) };
}

async function readStep(
  node: SolanaNode,
  signatures: readonly ListedSignature[],
  programs: readonly string[],
): Promise<Payment[]> {
  const read = await mapBounded(signatures, async ({ signature, slot }) => {
    const transaction = await node.transaction(signature);
    if (!transaction) throw node.lacks('a transaction that it lists');
    if (transaction.slot !== slot || !transaction.isSuccessful)
      throw node.contradicts('lists a transaction with another slot or outcome');
    return paymentsIn(transaction, programs);
  });
  return withBlocks(node, read.flat());
}

/** Adds the hashes of the blocks and the positions among the payments of a block. */
export async function withBlocks(
  node: SolanaNode,
  payments: readonly PaymentInTransaction[],
): Promise<Payment[]> {
  const slots = [...new Set(payments.map(({ height }) => height))];
  const blocks = new Map(await mapBounded(slots, async (slot) => [slot, await node.blockAt(slot)] as const));
  const counts = new Map<number, number>();
  return payments.map((payment) => {
    const logIndex = counts.get(payment.height) ?? 0;
    counts.set(payment.height, logIndex + 1);
    return { ...payment, blockHash: blocks.get(payment.height)!.hash, logIndex };
  });
}
