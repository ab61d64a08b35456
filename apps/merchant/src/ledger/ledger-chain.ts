import type { LedgerKind } from '@tollbridge/contracts';
import { createHash } from 'node:crypto';
import { v7 as uuid } from 'uuid';
import { differenceOf, kindOf, type Position, type Target } from './ledger-position';

/** The end of a ledger's chain: each transaction's hash is made over the one before it. */
export interface ChainHead {
  lastSeq: number;
  lastHash: Buffer;
}

/** A transaction that follows the others of its ledger. */
export interface NewTransaction extends Target {
  seq: number;
  id: string;
  kind: LedgerKind;
  previousHash: Buffer;
  hash: Buffer;
  entries: Position;
}

/**
 * The transactions that bring ledgers to their targets, one after the other in the given order.
 * @param heads of every wallet of a target; they are moved to the new ends
 * @param held what each ledger holds by reference; it is changed to what it holds then
 */
export function chainOf(
  targets: readonly Target[],
  heads: ReadonlyMap<string, ChainHead>,
  held: Map<string, Position>,
): NewTransaction[] {
  return targets.flatMap((target) => {
    const key = heldKey(target);
    const before = held.get(key) ?? [];
    const entries = differenceOf(before, target.position);
    if (entries.length === 0) return [];
    const head = heads.get(target.wallet)!;
    const seq = head.lastSeq + 1;
    const unhashed = { ...target, seq, id: uuid(), kind: kindOf(before, target.position), entries };
    const transaction = {
      ...unhashed,
      previousHash: head.lastHash,
      hash: hashAfter(head.lastHash, unhashed),
    };
    head.lastSeq = seq;
    head.lastHash = transaction.hash;
    held.set(key, target.position);
    return [transaction];
  });
}

export const heldKey = ({ wallet, reference }: Pick<Target, 'wallet' | 'reference'>): string =>
  `${wallet}\n${reference}`;

/** As `hashOf` of the repository says; the checks of ledgers compare both. */
function hashAfter(previous: Buffer, of: Omit<NewTransaction, 'previousHash' | 'hash'>): Buffer {
  const about = [of.wallet, of.seq, of.id, of.kind, of.reference, of.version, of.occurredAtMs];
  const entries = of.entries.flatMap(({ account, chain, token, amount }) => [account, chain, token, amount]);
  const text = [previous.toString('hex'), ...about, ...entries].join('\n');
  return createHash('sha256').update(text).digest();
}
