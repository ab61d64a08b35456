import { Injectable } from '@nestjs/common';
import type { CallContext } from '@tollbridge/rpc';
import { Database, storeReply, transaction, type TransactionClient } from '@tollbridge/database';
import type { Pool } from 'pg';
import type { SetRow } from './sets.entity';
import { fromRow } from './set-rows';
import { insertSets, save } from './sets.repository';
import { isUnsigned, transition, type TransactionSet } from '../transaction-set';

/** A quote and its signer, which share one set. */
export interface QuoteOfUser {
  quoteId: string;
  user: string;
}

/** New sets of one signer on one chain, with nonces in sequence. */
export interface NewGroup {
  sets: readonly TransactionSet[];
  /** Ids of current sets of these quotes that can no longer be executed. */
  stale: ReadonlySet<string>;
}

/** The stored set of a quote and signer; `executed` if it is signed. */
type PlacedSet = { kind: 'stored'; set: TransactionSet } | { kind: 'executed' };

/** The placed set by the id of each new set. */
export type Placed = ReadonlyMap<string, PlacedSet>;

/** Stores one set for each quote and signer under concurrent builds. SQL: row locks and set-based writes. */
@Injectable()
export class QuoteSetsRepository {
  private readonly pool: Pool;

  constructor({ pool }: Database) {
    this.pool = pool;
  }

  /** Returns the current sets of quotes by `keyOf`. */
  async standing(of: readonly QuoteOfUser[]): Promise<ReadonlyMap<string, TransactionSet>> {
    const { rows } = await this.pool.query<SetRow>({
      name: 'quote-sets-find',
      text: `SELECT s.* FROM unnest($1::uuid[], $2::text[]) AS g (quote_id, user_address)
        JOIN quote_sets q USING (quote_id, user_address) JOIN transaction_sets s ON s.id = q.set_id`,
      values: [of.map(({ quoteId }) => quoteId), of.map(({ user }) => user)],
    });
    return new Map(rows.map(fromRow).map((set) => [keyOf(set), set]));
  }

  /**
   * Stores new sets, and expires unsigned sets with other terms. If a concurrent build has stored a set with the same
   * terms, that set is returned and the new one is discarded. Sets and reply share one transaction.
   */
  async place<Reply>(
    groups: readonly NewGroup[],
    { nowMs, context }: { nowMs: number; context: CallContext },
    replyOf: (placed: Placed) => Reply,
  ): Promise<Reply> {
    if (groups.length === 0 && !context.claim) return replyOf(new Map());
    return transaction(this.pool, async (client) => {
      const placed = new Map<string, PlacedSet>();
      const all = groups.flatMap(({ sets }) => sets);
      const standing = await lockStanding(client, all);
      for (const group of groups) {
        const outcome = outcomeOf(group, standing);
        if (outcome.kind === 'replace') await replace(client, group, standing, nowMs, context);
        const stored = outcome.kind === 'keep' ? outcome.sets : group.sets;
        group.sets.forEach(({ id }, at) =>
          placed.set(id, outcome.kind === 'executed' ? outcome : { kind: 'stored', set: stored[at]! }),
        );
      }
      const reply = replyOf(placed);
      await storeReply(client, context, reply);
      return reply;
    });
  }
}

export const keyOf = ({ quoteId, user }: QuoteOfUser): string => `${quoteId} ${user}`;

/** Locks the `quote_sets` rows in key order, inserts missing ones, and reads their current sets. */
async function lockStanding(
  client: TransactionClient,
  sets: readonly TransactionSet[],
): Promise<ReadonlyMap<string, TransactionSet>> {
  const { rows: places } = await client.query<{ set_id: string }>({
    name: 'quote-sets-lock',
    // This update only locks the row and returns it.
    text: `INSERT INTO quote_sets AS q (quote_id, user_address, set_id)
      SELECT * FROM unnest($1::uuid[], $2::text[], $3::uuid[]) AS g (quote_id, user_address, set_id) ORDER BY 1, 2
      ON CONFLICT (quote_id, user_address) DO UPDATE SET set_id = q.set_id RETURNING set_id`,
    values: [sets.map(({ quoteId }) => quoteId), sets.map(({ user }) => user), sets.map(({ id }) => id)],
  });
  const { rows } = await client.query<SetRow>({
    name: 'quote-sets-standing',
    text: 'SELECT * FROM transaction_sets WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE',
    values: [places.map(({ set_id }) => set_id)],
  });
  return new Map(rows.map(fromRow).map((set) => [keyOf(set), set]));
}

function outcomeOf(
  { sets, stale }: NewGroup,
  standing: ReadonlyMap<string, TransactionSet>,
): { kind: 'keep'; sets: readonly TransactionSet[] } | { kind: 'executed' } | { kind: 'replace' } {
  const before = sets.map((set) => standing.get(keyOf(set)));
  if (before.some((set) => set && isExecuted(set))) return { kind: 'executed' };
  const isSame = before.every(
    (set, at) => set && isUnsigned(set) && set.terms === sets[at]!.terms && !stale.has(set.id),
  );
  return isSame ? { kind: 'keep', sets: before as TransactionSet[] } : { kind: 'replace' };
}

/** Whether the quote is used: its set is signed, in progress or completed. */
export const isExecuted = (set: TransactionSet): boolean =>
  !isUnsigned(set) && set.state !== 'failed' && set.state !== 'expired';

async function replace(
  client: TransactionClient,
  { sets }: NewGroup,
  standing: ReadonlyMap<string, TransactionSet>,
  nowMs: number,
  context: CallContext,
): Promise<void> {
  const before = sets.flatMap((set) => standing.get(keyOf(set)) ?? []).filter(isUnsigned);
  const old = new Map(before.map((set) => [set.id, set]));
  for (const set of await dependents(client, before)) old.set(set.id, set);
  const successors = new Map(sets.map((set) => [keyOf(set), set.id]));
  for (const set of old.values()) {
    const replacedBy = successors.get(keyOf(set)) ?? sets[0]!.id;
    const after = { ...transition(set, 'expired'), endedAtMs: nowMs, replacedBy };
    await save(client, { before: set, after, checkAtMs: null, nowMs, context }, true);
  }
  await insertSets(client, sets, context);
  await client.query({
    name: 'quote-sets-replace',
    text: `UPDATE quote_sets q SET set_id = g.set_id
      FROM unnest($1::uuid[], $2::text[], $3::uuid[]) AS g (quote_id, user_address, set_id)
      WHERE q.quote_id = g.quote_id AND q.user_address = g.user_address`,
    values: [sets.map(({ quoteId }) => quoteId), sets.map(({ user }) => user), sets.map(({ id }) => id)],
  });
}

/** Returns later unsigned sets of the same batch: their nonces and approvals depend on these sets. */
async function dependents(
  client: TransactionClient,
  sets: readonly TransactionSet[],
): Promise<TransactionSet[]> {
  const batches = sets.flatMap(({ batchId }) => batchId ?? []);
  if (batches.length === 0) return [];
  const { rows } = await client.query<SetRow>({
    name: 'quote-sets-batch',
    text: `SELECT * FROM transaction_sets WHERE state = 'built' AND batch_id = ANY($1::uuid[]) ORDER BY id FOR UPDATE`,
    values: [batches],
  });
  const firstNonce = ({ transactions }: TransactionSet) => transactions[0]!.nonce;
  return rows
    .map(fromRow)
    .filter(isUnsigned)
    .filter((later) =>
      sets.some(
        (set) =>
          set.batchId === later.batchId &&
          set.user === later.user &&
          set.from.chain === later.from.chain &&
          firstNonce(later) > firstNonce(set),
      ),
    );
}
