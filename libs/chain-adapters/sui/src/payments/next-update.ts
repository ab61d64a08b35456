import type { BlockRef, Payment, PaymentUpdate } from '@tollbridge/chain-port';
import { ProviderError } from '@tollbridge/http';
import { suiOrderPaidType } from '@tollbridge/onchain/sui';
import type { SuiNode } from '../sui-node';
import { readEvents, readMoreEvents } from '../event-reads';
import type { Page, PlacedEvent } from '../wire';
import { logIndexOf, maxPaymentsPerCheckpoint } from './log-index';
import { readPayment } from './order-paid';

export interface FollowOptions {
  packageIds: readonly string[];
  startHeight: number;
  window: number;
}

/**
 * Returns the next step from the stored checkpoints towards the head. Checkpoints are final, so it returns only those
 * with payments, and the last one. Each returned checkpoint has the previous one as its parent. A step needs one
 * request, and one more for each further page of a checkpoint with many payments.
 */
export async function nextUpdate(
  node: SuiNode,
  known: readonly BlockRef[],
  { packageIds, startHeight, window }: FollowOptions,
): Promise<PaymentUpdate> {
  const newest = known.at(-1);
  const above = Math.max(startHeight - 1, newest?.height ?? -1);
  const types = packageIds.map((packageId) => suiOrderPaidType({ packageId }));
  const { head, firstHeight, pages } = await readEvents(node, types, above);
  // A lagging node is behind the caller. Its answer does not cover checkpoints above its head.
  if (head.height <= above) return { kind: 'idle', head };
  if (firstHeight > above + 1) throw pruned(above + 1, firstHeight);
  const read = await Promise.all(
    pages.map((page, at) => wholeCheckpoints(node, { type: types[at]!, above, head }, page)),
  );
  const to = lastCovered(head, read);
  const payments = read.flatMap(({ events }, at) => paymentsOf(events, packageIds[at]!, to.height));
  payments.sort((one, other) => one.height - other.height);
  return { kind: 'advance', blocks: followed(newest, read, to).slice(-window), payments, head };
}

interface Read {
  events: readonly PlacedEvent[];
  /** All events up to this height are included. Events above it will be read again. */
  coveredTo: number;
}

/** Reads more pages while the page ends inside its first checkpoint, so that at least one checkpoint is complete. */
async function wholeCheckpoints(
  node: SuiNode,
  { type, above, head }: { type: string; above: number; head: BlockRef },
  first: Page<PlacedEvent>,
): Promise<Read> {
  const items = [...first.items];
  let { nextCursor } = first;
  // Nodes behind one URL may have different heads. A page does not cover checkpoints above the head of its node.
  let headHeight = head.height;
  while (nextCursor !== null && heightOf(items, 0) === heightOf(items, -1)) {
    if (items.length > maxPaymentsPerCheckpoint) throw unusable('a checkpoint has too many events');
    const { head: pageHead, page } = await readMoreEvents(node, { type, above, cursor: nextCursor });
    if (pageHead.height < heightOf(items, -1)!) throw lagging(pageHead.height, heightOf(items, -1)!);
    if (heightOf(page.items, 0)! < heightOf(items, -1)!)
      throw unusable('the pages are not in the order of the chain');
    items.push(...page.items);
    nextCursor = page.nextCursor;
    headHeight = Math.min(headHeight, pageHead.height);
  }
  const isWhole = nextCursor === null || heightOf(items, -1)! > headHeight;
  return { events: items, coveredTo: isWhole ? headHeight : heightOf(items, -1)! - 1 };
}

const heightOf = (events: readonly PlacedEvent[], at: number): number | undefined =>
  events.at(at)?.checkpoint.height;

/** Returns the newest known checkpoint with all events read up to it. */
function lastCovered(head: BlockRef, read: readonly Read[]): BlockRef {
  const height = Math.min(...read.map(({ coveredTo }) => coveredTo));
  if (height === head.height) return head;
  const covered = read.flatMap(({ events }) =>
    events.filter(({ checkpoint }) => checkpoint.height <= height),
  );
  const newest = Math.max(...covered.map(({ checkpoint }) => checkpoint.height));
  const found = covered.find(({ checkpoint }) => checkpoint.height === newest);
  if (!found) throw unusable('a page of events ends in no checkpoint');
  return found.checkpoint;
}

function paymentsOf(events: readonly PlacedEvent[], packageId: string, toHeight: number): Payment[] {
  const ordinals = new Map<number, number>();
  return events.flatMap((event) => {
    const { height } = event.checkpoint;
    if (height > toHeight) return [];
    const ordinal = ordinals.get(height) ?? 0;
    ordinals.set(height, ordinal + 1);
    return readPayment(event, packageId, logIndexOf(packageId, ordinal)) ?? [];
  });
}

/**
 * Returns the checkpoints in ascending order, each with the previous one as its parent.
 * @throws ProviderError if a node returns two hashes for one height
 */
function followed(newest: BlockRef | undefined, read: readonly Read[], to: BlockRef): BlockRef[] {
  const byHeight = new Map<number, BlockRef>([[to.height, to]]);
  for (const { checkpoint } of read.flatMap(({ events }) => events)) {
    if (checkpoint.height > to.height) continue;
    const other = byHeight.get(checkpoint.height);
    if (other && other.hash !== checkpoint.hash) throw unusable('a checkpoint has two digests');
    byHeight.set(checkpoint.height, checkpoint);
  }
  const ascending = [...byHeight.values()].sort((one, next) => one.height - next.height);
  return ascending.map((checkpoint, at) => {
    const parent = at === 0 ? newest : ascending[at - 1];
    return { ...checkpoint, parentHash: parent?.hash ?? checkpoint.parentHash };
  });
}

/** Pruned checkpoints are never skipped, because payments in them would be lost. */
const pruned = (wanted: number, first: number): ProviderError => {
  const message = `the node keeps events from checkpoint ${first} only, and ${wanted} is needed`;
  return new ProviderError('sui', { kind: 'unavailable', message });
};

const lagging = (height: number, wanted: number): ProviderError => {
  const message = `the node has checkpoint ${height}, and had ${wanted} before`;
  return new ProviderError('sui', { kind: 'unavailable', message });
};

const unusable = (what: string): ProviderError =>
  new ProviderError('sui', { kind: 'badReply', message: what });
