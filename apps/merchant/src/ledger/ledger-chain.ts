import type { LedgerKind } from '@tollbridge/contracts';
import { createHash } from 'node:crypto';
import { v7 as uuid } from 'uuid';
import { differenceOf, kindOf, type Position, type Target } from './ledger-position';

/** The last transaction of a ledger's hash chain. The hash of each transaction includes the previous hash. */
export interface ChainHead {
  lastSeq: number;
  lastHash: Buffer;
}

/** A transaction to append to a ledger. */
export interface NewTransaction extends Target {
  seq: number;
  id: string;
  kind: LedgerKind;
  previousHash: Buffer;
  hash: Buffer;
  entries: Position;
}

/**
 * Computes the transactions that bring ledgers to their targets, in the given order.
 * @param heads of the wallets of all targets; updated to the new heads
 * @param posted the position of each reference; updated to the targets
 */
export function chainOf(
  targets: readonly Target[],
  heads: ReadonlyMap<string, ChainHead>,
  posted: Map<string, Position>,
): NewTransaction[] {
  return targets.flatMap((target) => {
    const key = positionKey(target);
    const before = posted.get(key) ?? [];
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
    posted.set(key, target.position);
    return [transaction];
  });
}

export const positionKey = ({ wallet, reference }: Pick<Target, 'wallet' | 'reference'>): string =>
  `${wallet}\n${reference}`;

/** Computes the same hash as `hashOf` in the repository. The verification of ledgers compares both. */
function hashAfter(previous: Buffer, of: Omit<NewTransaction, 'previousHash' | 'hash'>): Buffer {
  const about = [of.wallet, of.seq, of.id, of.kind, of.reference, of.version, of.occurredAtMs];
  const entries = of.entries.flatMap(({ account, chain, token, amount }) => [account, chain, token, amount]);
  const text = [previous.toString('hex'), ...about, ...entries].join('\n');
  return createHash('sha256').update(text).digest();
}
