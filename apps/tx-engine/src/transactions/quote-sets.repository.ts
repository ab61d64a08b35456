import { Injectable } from '@nestjs/common';
import type { CallContext } from '@tollbridge/rpc';
import { Database, keepReply, transaction } from '@tollbridge/database';
import type { ClientBase, Pool } from 'pg';
import type { SetRow } from './sets.entity';
import { fromRow, insertSets, save } from './sets.repository';
import { isUnsigned, moved, type TransactionSet } from './transaction-set';

/** A quote and its signer: they have one set. */
export interface QuoteOfUser {
  quoteId: string;
  user: string;
}

/** New sets of one signer on one chain, with nonces in sequence. */
export interface NewGroup {
  sets: readonly TransactionSet[];
  /** Sets that stand for these quotes and can be executed no more. */
  stale: ReadonlySet<string>;
}

/** By the id of each new set the set that is kept; `executed` where a set of the quote is signed. */
export type Placed = ReadonlyMap<string, TransactionSet | 'executed'>;

/** Keeps one set for each quote and signer, whatever is built at the same time. */
@Injectable()
export class QuoteSetsRepository {
  private readonly pool: Pool;

  constructor({ pool }: Database) {
    this.pool = pool;
  }

  /** The sets that stand for quotes, by `keyOf`. */
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
   * Stores new sets in place of unsigned ones with other terms, which expire. Where a set with the same terms came first,
   * it is the answer, and the new one is dropped. All of it and the reply are one transaction.
   */
  async place<Reply>(
    groups: readonly NewGroup[],
    { nowMs, context }: { nowMs: number; context: CallContext },
    replyOf: (placed: Placed) => Reply,
  ): Promise<Reply> {
    if (groups.length === 0 && !context.claim) return replyOf(new Map());
    return transaction(this.pool, async (client) => {
      const placed = new Map<string, TransactionSet | 'executed'>();
      const all = groups.flatMap(({ sets }) => sets);
      const standing = await lockStanding(client, all);
      for (const group of groups) {
        const outcome = outcomeOf(group, standing);
        if (outcome !== 'replace') {
          group.sets.forEach(({ id }, at) => placed.set(id, outcome[at]!));
          continue;
        }
        await replace(client, group, standing, nowMs, context);
        for (const set of group.sets) placed.set(set.id, set);
      }
      const reply = replyOf(placed);
      await keepReply(client, context, reply);
      return reply;
    });
  }
}

export const keyOf = ({ quoteId, user }: QuoteOfUser): string => `${quoteId} ${user}`;

/** Locks the places of these sets in the order of their keys, and reads what stands there; new places are taken. */
async function lockStanding(
  client: ClientBase,
  sets: readonly TransactionSet[],
): Promise<ReadonlyMap<string, TransactionSet>> {
  const { rows: places } = await client.query<{ set_id: string }>({
    name: 'quote-sets-lock',
    // The update changes nothing: it locks the row and returns it.
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
): (TransactionSet | 'executed')[] | 'replace' {
  const before = sets.map((set) => standing.get(keyOf(set)));
  if (before.some((set) => set && isExecuted(set))) return sets.map(() => 'executed');
  const isSame = before.every(
    (set, at) => set && isUnsigned(set) && set.terms === sets[at]!.terms && !stale.has(set.id),
  );
  return isSame ? (before as TransactionSet[]) : 'replace';
}

/** Whether a quote was used up: its swap is signed, under way or done. */
export const isExecuted = (set: TransactionSet): boolean =>
  !isUnsigned(set) && set.state !== 'failed' && set.state !== 'expired';

async function replace(
  client: ClientBase,
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
    const after = { ...moved(set, 'expired'), endedAtMs: nowMs, replacedBy };
    await save(client, { before: set, after, checkAtMs: null, nowMs, context }, true);
  }
  await insertSets(client, sets, context);
  await client.query({
    name: 'quote-sets-move',
    text: `UPDATE quote_sets q SET set_id = g.set_id
      FROM unnest($1::uuid[], $2::text[], $3::uuid[]) AS g (quote_id, user_address, set_id)
      WHERE q.quote_id = g.quote_id AND q.user_address = g.user_address`,
    values: [sets.map(({ quoteId }) => quoteId), sets.map(({ user }) => user), sets.map(({ id }) => id)],
  });
}

/** Sets of the same batch that come after these: their nonces follow, and they may need an approval of these. */
async function dependents(client: ClientBase, sets: readonly TransactionSet[]): Promise<TransactionSet[]> {
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
