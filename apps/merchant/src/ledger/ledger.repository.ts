import { Injectable } from '@nestjs/common';
import type { LedgerAccount, LedgerKind } from '@tollbridge/contracts';
import { Database, transaction, type TransactionClient } from '@tollbridge/database';
import type { Pool } from 'pg';
import { chainOf, positionKey, type ChainHead, type NewTransaction } from './ledger-chain';
import type { Position, Posting, Target } from './ledger-position';

/** The number of transactions of a wallet that are verified together. */
export const segmentSize = 5_000;
export const segmentOf = (seq: number): number => Math.floor((seq - 1) / segmentSize);

// A new segment is first verified after an hour, and every segment once a day.
const firstCheckMs = 60 * 60_000;

/**
 * The hash of a transaction, as an SQL expression. The hashed text contains the previous hash, the fields, the time in
 * milliseconds and the fields of each entry. Each field is one line, and no field can contain a line break.
 */
export const hashOf = (t: string, entries: string): string => `sha256(convert_to(concat_ws(E'\\n',
  encode(${t}.previous_hash, 'hex'), ${t}.wallet, ${t}.seq, ${t}.id, ${t}.kind, ${t}.reference, ${t}.version,
  floor(extract(epoch FROM ${t}.occurred_at) * 1000)::bigint, ${entries}), 'UTF8'))`;
export const hashedEntries = (e: string): string =>
  `string_agg(concat_ws(E'\\n', ${e}.account, ${e}.chain, ${e}.token, ${e}.amount), E'\\n' ORDER BY ${e}.position)`;

export interface EntryRow {
  seq: string;
  position: number;
  id: string;
  kind: LedgerKind;
  reference: string;
  version: number;
  account: LedgerAccount;
  chain: string;
  token: string;
  amount: string;
  occurred_at: Date;
  hash: Buffer;
}

interface HeadRow {
  wallet: string;
  last_seq: string;
  last_hash: Buffer;
  halted_at: Date | null;
}

interface Head extends ChainHead {
  isHalted: boolean;
}

/**
 * The only file that writes ledgers. Uses SQL for row locks and set-based writes (benchmark "merchant consumes order
 * events").
 */
@Injectable()
export class LedgerRepository {
  private readonly pool: Pool;

  constructor({ pool }: Database) {
    this.pool = pool;
  }

  /** Posts the differences to these targets in the given order. Targets of halted ledgers are queued. */
  async post(client: TransactionClient, targets: readonly Target[]): Promise<void> {
    const changing = await withoutUnchanged(client, targets);
    if (changing.length === 0) return;
    const heads = await lockHeads(client, new Set(changing.map(({ wallet }) => wallet)));
    const isHalted = ({ wallet }: Target): boolean => heads.get(wallet)!.isHalted;
    const waiting = changing.filter(isHalted);
    if (waiting.length > 0) await queueTargets(client, waiting);
    const posted = changing.filter((target) => !isHalted(target));
    if (posted.length > 0) await postUnder(client, heads, posted);
  }

  /** Halts a ledger. @returns false when the ledger was halted already */
  async halt(wallet: string, segment: number, nowMs: number): Promise<boolean> {
    const { rowCount } = await this.pool.query({
      name: 'ledger-halt',
      text: `UPDATE ledgers SET halted_at = $3, halted_segment = $2 WHERE wallet = $1 AND halted_at IS NULL`,
      values: [wallet, segment, new Date(nowMs)],
    });
    return rowCount === 1;
  }

  /**
   * Posts a page of queued targets, or resumes the ledger when the queue is empty. @returns whether the ledger resumes
   */
  async resume(wallet: string): Promise<boolean> {
    return transaction(this.pool, async (client) => {
      // Locked before the queue is read: new targets of a halted ledger are queued under the same lock.
      const heads = await lockHeads(client, new Set([wallet]));
      const waiting = await takeWaiting(client, wallet);
      if (waiting.length > 0) await postUnder(client, heads, waiting);
      if (waiting.length > 0) return false;
      await client.query('UPDATE ledgers SET halted_at = NULL, halted_segment = NULL WHERE wallet = $1', [
        wallet,
      ]);
      return true;
    });
  }

  /** Entries of a wallet, newest first, starting behind the position `before`. */
  async entries(
    wallet: string,
    limit: number,
    before: { seq: number; position: number } | undefined,
  ): Promise<EntryRow[]> {
    const { seq, position } = before ?? { seq: Number.MAX_SAFE_INTEGER, position: 1 };
    const { rows } = await this.pool.query<EntryRow>({
      name: 'ledger-entries',
      text: `SELECT e.seq, e.position, t.id, t.kind, t.reference, t.version, e.account, e.chain, e.token, e.amount, t.occurred_at, t.hash
             FROM ledger_entries e JOIN ledger_transactions t USING (wallet, seq)
             WHERE e.wallet = $1 AND (e.seq, e.position) < ($2, $3)
             ORDER BY e.seq DESC, e.position DESC LIMIT $4`,
      values: [wallet, seq, position, limit],
    });
    return rows;
  }
}

/**
 * Drops targets that are empty and have no earlier posting, so that they need no lock. Most order events are like that.
 */
async function withoutUnchanged(client: TransactionClient, targets: readonly Target[]): Promise<Target[]> {
  const moved = new Set(targets.filter(({ position }) => position.length > 0).map(positionKey));
  const unsure = targets.filter((target) => !moved.has(positionKey(target)));
  if (unsure.length > 0) for (const key of await knownOf(client, unsure)) moved.add(key);
  return targets.filter((target) => moved.has(positionKey(target)));
}

async function knownOf(client: TransactionClient, targets: readonly Target[]): Promise<string[]> {
  const { rows } = await client.query<Pick<Target, 'wallet' | 'reference'>>({
    name: 'ledger-known',
    text: `SELECT wallet, reference FROM unnest($1::text[], $2::text[]) AS g (wallet, reference)
           WHERE EXISTS (SELECT FROM ledger_transactions t WHERE t.reference = g.reference)
             OR EXISTS (SELECT FROM ledger_waiting w WHERE w.wallet = g.wallet AND w.reference = g.reference)`,
    values: [targets.map(({ wallet }) => wallet), targets.map(({ reference }) => reference)],
  });
  return rows.map(positionKey);
}

/**
 * Locks ledgers, which serialises their postings, because each hash depends on the previous one. New ledgers are
 * inserted first. Then all are locked in the order of wallets, so that concurrent batches do not deadlock.
 */
async function lockHeads(
  client: TransactionClient,
  wallets: ReadonlySet<string>,
): Promise<Map<string, Head>> {
  const values = [[...wallets]];
  await client.query({
    name: 'ledgers-insert',
    text: `INSERT INTO ledgers (wallet) SELECT wallet FROM unnest($1::text[]) wallet ORDER BY wallet
           ON CONFLICT DO NOTHING`,
    values,
  });
  const { rows } = await client.query<HeadRow>({
    name: 'ledgers-lock',
    text: `SELECT wallet, last_seq, last_hash, halted_at FROM ledgers WHERE wallet = ANY($1::text[])
           ORDER BY wallet FOR UPDATE`,
    values,
  });
  return new Map(
    rows.map((row) => [
      row.wallet,
      { lastSeq: Number(row.last_seq), lastHash: row.last_hash, isHalted: row.halted_at !== null },
    ]),
  );
}

/** Queues the newest target of each reference until the ledger resumes. */
async function queueTargets(client: TransactionClient, targets: readonly Target[]): Promise<void> {
  const newest = new Map<string, Target>();
  for (const target of targets) {
    const known = newest.get(positionKey(target));
    if (!known || target.version > known.version) newest.set(positionKey(target), target);
  }
  const rows = [...newest.values()].map(({ wallet, reference, version, occurredAtMs, position }) => ({
    wallet,
    reference,
    version,
    occurred_at: new Date(occurredAtMs),
    position: position.map((posting) => ({ ...posting, amount: String(posting.amount) })),
  }));
  await client.query({
    name: 'ledger-wait',
    text: `INSERT INTO ledger_waiting AS known
           SELECT * FROM json_populate_recordset(NULL::ledger_waiting, $1) ORDER BY wallet, reference
           ON CONFLICT (wallet, reference) DO UPDATE SET version = excluded.version, occurred_at = excluded.occurred_at,
             position = excluded.position WHERE excluded.version > known.version`,
    values: [JSON.stringify(rows)],
  });
}

/** @param heads the locked heads; updated to the new ends */
async function postUnder(
  client: TransactionClient,
  heads: ReadonlyMap<string, Head>,
  targets: readonly Target[],
): Promise<void> {
  const transactions = chainOf(targets, heads, await postedPositions(client, targets));
  if (transactions.length === 0) return;
  await client.query({
    name: 'ledger-post',
    text: postStatement,
    values: [
      JSON.stringify(transactions.map(toTransactionRow)),
      JSON.stringify(transactions.flatMap(toEntryRows)),
    ],
  });
  const begun = transactions.filter(({ seq }) => seq % segmentSize === 1);
  if (begun.length > 0) await scheduleChecks(client, begun);
}

/** Schedules the first verification of new segments. */
async function scheduleChecks(client: TransactionClient, begun: readonly NewTransaction[]): Promise<void> {
  await client.query({
    name: 'ledger-schedule-checks',
    text: `INSERT INTO ledger_checks (wallet, segment, check_at)
           SELECT wallet, segment, now() + $3 * interval '1 millisecond' FROM unnest($1::text[], $2::bigint[]) AS g (wallet, segment)`,
    values: [begun.map(({ wallet }) => wallet), begun.map(({ seq }) => segmentOf(seq)), firstCheckMs],
  });
}

const toTransactionRow = (transaction: NewTransaction) => ({
  wallet: transaction.wallet,
  seq: transaction.seq,
  id: transaction.id,
  kind: transaction.kind,
  reference: transaction.reference,
  version: transaction.version,
  occurred_at: new Date(transaction.occurredAtMs),
  previous_hash: `\\x${transaction.previousHash.toString('hex')}`,
  hash: `\\x${transaction.hash.toString('hex')}`,
});

const toEntryRows = ({ wallet, seq, entries }: NewTransaction) =>
  entries.map(({ account, chain, token, amount }, index) => ({
    wallet,
    seq,
    position: index + 1,
    account,
    chain,
    token,
    amount: String(amount),
    segment: segmentOf(seq),
  }));

const postStatement = `
  WITH posted AS (
    INSERT INTO ledger_transactions (wallet, seq, id, kind, reference, version, occurred_at, previous_hash, hash)
    SELECT wallet, seq, id, kind, reference, version, occurred_at, previous_hash, hash
    FROM json_populate_recordset(NULL::ledger_transactions, $1) RETURNING wallet, seq, hash
  ), given AS (
    SELECT * FROM json_to_recordset($2::json) AS g (wallet text, seq bigint, position smallint, account text, chain text,
      token text, amount numeric, segment bigint)
  ), entered AS (
    INSERT INTO ledger_entries (wallet, seq, position, account, chain, token, amount)
    SELECT wallet, seq, position, account, chain, token, amount FROM given
  ), summed AS (
    INSERT INTO ledger_sums AS stored
      (wallet, segment, chain, token, debits, credits, received, fees, refunds, entries, transactions)
    SELECT g.wallet, g.segment, ${sumsOf('g')}, count(DISTINCT g.seq) FROM given g
    GROUP BY g.wallet, g.segment, g.chain, g.token ORDER BY g.wallet, g.segment, g.chain, g.token
    ON CONFLICT (wallet, segment, chain, token) DO UPDATE SET
      debits = stored.debits + excluded.debits, credits = stored.credits + excluded.credits,
      received = stored.received + excluded.received, fees = stored.fees + excluded.fees,
      refunds = stored.refunds + excluded.refunds, entries = stored.entries + excluded.entries,
      transactions = stored.transactions + excluded.transactions
  ), last AS (
    SELECT DISTINCT ON (wallet) wallet, seq, hash FROM posted ORDER BY wallet, seq DESC
  )
  UPDATE ledgers SET last_seq = last.seq, last_hash = last.hash FROM last WHERE ledgers.wallet = last.wallet`;

/** The stored sums of entries by asset, as SQL columns. */
export function sumsOf(e: string): string {
  const of = (account: LedgerAccount) =>
    `coalesce(sum(${e}.amount) FILTER (WHERE ${e}.account = '${account}'), 0)`;
  return `${e}.chain, ${e}.token, -coalesce(sum(${e}.amount) FILTER (WHERE ${e}.amount < 0), 0),
    coalesce(sum(${e}.amount) FILTER (WHERE ${e}.amount > 0), 0), ${of('merchant:received')}, ${of('fees')}, ${of('refunds')}, count(*)`;
}

/** The posted position of each target's reference, by `positionKey`. */
async function postedPositions(
  client: TransactionClient,
  targets: readonly Target[],
): Promise<Map<string, Position>> {
  const { rows } = await client.query<{
    wallet: string;
    reference: string;
    account: LedgerAccount;
    chain: string;
    token: string;
    amount: string;
  }>({
    name: 'ledger-posted',
    text: `SELECT t.wallet, t.reference, e.account, e.chain, e.token, sum(e.amount) AS amount
           FROM ledger_transactions t JOIN ledger_entries e USING (wallet, seq)
           WHERE t.reference = ANY($1::text[])
           GROUP BY t.wallet, t.reference, e.account, e.chain, e.token HAVING sum(e.amount) <> 0`,
    values: [[...new Set(targets.map(({ reference }) => reference))]],
  });
  const posted = new Map<string, Posting[]>();
  for (const { wallet, reference, account, chain, token, amount } of rows) {
    const key = positionKey({ wallet, reference });
    const posting = { account, chain, token, amount: BigInt(amount) };
    posted.set(key, [...(posted.get(key) ?? []), posting]);
  }
  return posted;
}

const resumedAtOnce = 200;

async function takeWaiting(client: TransactionClient, wallet: string): Promise<Target[]> {
  const { rows } = await client.query<{
    reference: string;
    version: number;
    occurred_at: Date;
    position: { account: LedgerAccount; chain: string; token: string; amount: string }[];
  }>({
    name: 'ledger-take-waiting',
    text: `DELETE FROM ledger_waiting WHERE wallet = $1 AND reference IN
             (SELECT reference FROM ledger_waiting WHERE wallet = $1 ORDER BY occurred_at, reference LIMIT $2)
           RETURNING reference, version, occurred_at, position`,
    values: [wallet, resumedAtOnce],
  });
  return rows
    .sort((one, other) => one.occurred_at.getTime() - other.occurred_at.getTime())
    .map(({ reference, version, occurred_at, position }) => ({
      wallet,
      reference,
      version,
      occurredAtMs: occurred_at.getTime(),
      position: position.map((posting) => ({ ...posting, amount: BigInt(posting.amount) })),
    }));
}
