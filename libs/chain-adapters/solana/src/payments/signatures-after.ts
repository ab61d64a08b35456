import type { SolanaNode } from '../solana-node';
import type { ListedSignature } from '../solana-types';

// A poll usually finds nothing new, which one small page shows. Nodes return pages of at most 1,000.
const [smallPage, largePage] = [50, 1_000];
// Slots of about 40 seconds, and of about 7 minutes.
const [fewSlots, manySlots] = [100, 1_000];
// A million transactions. A node that lists more is repeating itself.
const mostPages = 1_000;

export interface SlotRange {
  /** The last slot that was read; -1 before the first slot. */
  after: number;
  /** The last slot to read. */
  head: number;
}

/**
 * Returns the successful transactions that mention these addresses, in ascending order of slots. The order within a
 * slot does not depend on the node.
 * @throws ProviderError if the node has not seen `head`, or lacks the history of the range
 */
export async function signaturesAfter(
  node: SolanaNode,
  addresses: readonly string[],
  range: SlotRange,
): Promise<ListedSignature[]> {
  await requireHistory(node, range);
  const found = new Map<string, ListedSignature>();
  for (const address of addresses)
    for (const listed of await listedAfter(node, address, range)) found.set(listed.signature, listed);
  return [...found.values()].sort(
    (one, other) => one.slot - other.slot || (one.signature < other.signature ? -1 : 1),
  );
}

/** A node that has deleted old blocks returns an empty list for them, without an error. */
async function requireHistory(node: SolanaNode, { after, head }: SlotRange): Promise<void> {
  if (head - after <= manySlots) return;
  const first = await node.firstAvailableSlot();
  // The first block is in slot 0 or 1.
  if (first > Math.max(after + 1, 1)) throw node.lacks(`the slots ${after + 1} to ${first - 1}`);
}

async function listedAfter(
  node: SolanaNode,
  address: string,
  { after, head }: SlotRange,
): Promise<ListedSignature[]> {
  const limit = head - after <= fewSlots ? smallPage : largePage;
  const found: ListedSignature[] = [];
  let before: string | undefined;
  let oldest = Infinity;
  const cursors = new Set<string>();
  for (let pages = 0; pages < mostPages; pages++) {
    const page = await node.signatures(address, { before, limit, minContextSlot: head });
    for (const listed of page.listed) {
      if (listed.slot > oldest) throw node.contradicts('lists signatures out of order');
      oldest = listed.slot;
      if (listed.slot <= after) return found;
      if (listed.slot <= head && listed.isSuccessful) found.push(listed);
    }
    if (page.isWhole) return found;
    before = page.listed.at(-1)!.signature;
    if (cursors.has(before)) break;
    cursors.add(before);
  }
  throw node.contradicts('lists signatures without end');
}
