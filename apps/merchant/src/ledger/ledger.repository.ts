import { Injectable } from '@nestjs/common';
import type { LedgerAccount, LedgerKind } from '@tollbridge/api';
import { Database, transaction, type TransactionClient } from '@tollbridge/data';
import type { Pool } from 'pg';
import { v7 as uuid } from 'uuid';
import { differenceOf, kindOf, type Position, type Target } from './ledger-position';

/** So many transactions of a wallet are checked together. */
export const segmentSize = 5_000;
export const segmentOf = (seq: number): number => Math.floor((seq - 1) / segmentSize);

// What was just posted is checked within the hour, and everything once a day.
const firstCheckMs = 60 * 60_000;

/**
 * The text of which a transaction's hash is made, one field a line: the hash before it, wallet, number, id, kind,
 * reference, version, time in milliseconds, and of each entry account, chain, token and amount. None of them can hold a
 * line break.
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

interface Head {
  last_seq: string;
  last_hash: Buffer;
  halted_at: Date | null;
}

/** The only file that writes ledgers. */
@Injectable()
export class LedgerRepository {
  private readonly pool: Pool;

  constructor({ pool }: Database) {
    this.pool = pool;
  }

  /** Posts what is missing to a position, or lets it wait where the ledger is halted. */
  async post(client: TransactionClient, target: Target): Promise<'posted' | 'same' | 'waiting'> {
    // Most of what is told of orders moves nothing, and then nobody needs to wait for the others of this wallet.
    if (target.position.length === 0 && !(await isKnown(client, target))) return 'same';
    const head = await lockHead(client, target.wallet);
    if (head.halted_at === null) return postUnder(client, head, target);
    await client.query({
      name: 'ledger-wait',
      text: `INSERT INTO ledger_waiting AS known (wallet, reference, version, occurred_at, position)
             VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT (wallet, reference) DO UPDATE SET version = excluded.version, occurred_at = excluded.occurred_at,
               position = excluded.position WHERE excluded.version > known.version`,
      values: [
        ...[target.wallet, target.reference, target.version, new Date(target.occurredAtMs)],
        JSON.stringify(target.position.map((posting) => ({ ...posting, amount: String(posting.amount) }))),
      ],
    });
    return 'waiting';
  }

  /** Nothing is posted any more; answers false where that was so already. */
  async halt(wallet: string, segment: number, nowMs: number): Promise<boolean> {
    const { rowCount } = await this.pool.query({
      name: 'ledger-halt',
      text: `UPDATE ledgers SET halted_at = $3, halted_segment = $2 WHERE wallet = $1 AND halted_at IS NULL`,
      values: [wallet, segment, new Date(nowMs)],
    });
    return rowCount === 1;
  }

  /** Posts what has waited; answers whether that was all, and the ledger goes on. */
  async resume(wallet: string): Promise<boolean> {
    return transaction(this.pool, async (client) => {
      // Locked first: who finds the ledger halted adds to what waits under the same lock.
      await lockHead(client, wallet);
      const waiting = await takeWaiting(client, wallet);
      for (const target of waiting) await postUnder(client, await lockHead(client, wallet), target);
      if (waiting.length > 0) return false;
      await client.query('UPDATE ledgers SET halted_at = NULL, halted_segment = NULL WHERE wallet = $1', [
        wallet,
      ]);
      return true;
    });
  }

  /** Newest first, those after `before` in that order. */
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

async function isKnown(client: TransactionClient, { wallet, reference }: Target): Promise<boolean> {
  const { rows } = await client.query<{ known: boolean }>({
    name: 'ledger-known',
    text: `SELECT EXISTS (SELECT FROM ledger_transactions WHERE reference = $2)
             OR EXISTS (SELECT FROM ledger_waiting WHERE wallet = $1 AND reference = $2) AS known`,
    values: [wallet, reference],
  });
  return rows[0]!.known;
}

/** Who posts to one ledger waits here for each other: each hash is made over the one before it. */
async function lockHead(client: TransactionClient, wallet: string): Promise<Head> {
  const find = () =>
    client.query<Head>({
      name: 'ledger-lock',
      text: 'SELECT last_seq, last_hash, halted_at FROM ledgers WHERE wallet = $1 FOR UPDATE',
      values: [wallet],
    });
  const { rows } = await find();
  if (rows[0]) return rows[0];
  await client.query('INSERT INTO ledgers (wallet) VALUES ($1) ON CONFLICT DO NOTHING', [wallet]);
  return (await find()).rows[0]!;
}

async function postUnder(
  client: TransactionClient,
  head: Head,
  { wallet, reference, version, occurredAtMs, position }: Target,
): Promise<'posted' | 'same'> {
  const held = await heldPosition(client, wallet, reference);
  const difference = differenceOf(held, position);
  if (difference.length === 0) return 'same';
  const seq = Number(head.last_seq) + 1;
  const segment = segmentOf(seq);
  const entries = difference.map((posting, index) => ({
    ...posting,
    amount: String(posting.amount),
    position: index + 1,
  }));
  await client.query({
    name: 'ledger-post',
    text: postStatement,
    values: [
      ...[wallet, seq, uuid(), kindOf(held, position), reference, version, new Date(occurredAtMs)],
      ...[head.last_hash, JSON.stringify(entries), segment],
    ],
  });
  // A new part is checked for the first time soon; its row is what reminds of it.
  if (seq % segmentSize === 1)
    await client.query({
      name: 'ledger-remind',
      text: `INSERT INTO ledger_checks (wallet, segment, check_at) VALUES ($1, $2, now() + $3 * interval '1 millisecond')`,
      values: [wallet, segment, firstCheckMs],
    });
  return 'posted';
}

const postStatement = `
  WITH given AS (
    SELECT * FROM json_to_recordset($9::json)
      AS g (position smallint, account text, chain text, token text, amount numeric)
  ), new AS (
    SELECT $1::text AS wallet, $2::bigint AS seq, $3::uuid AS id, $4::text AS kind, $5::text AS reference, $6::integer AS version,
      $7::timestamptz AS occurred_at, $8::bytea AS previous_hash
  ), posted AS (
    INSERT INTO ledger_transactions (wallet, seq, id, kind, reference, version, occurred_at, previous_hash, hash)
    SELECT new.*, ${hashOf('new', `(SELECT ${hashedEntries('g')} FROM given g)`)} FROM new RETURNING wallet, seq, hash
  ), entered AS (
    INSERT INTO ledger_entries (wallet, seq, position, account, chain, token, amount)
    SELECT p.wallet, p.seq, g.position, g.account, g.chain, g.token, g.amount FROM posted p, given g
  ), summed AS (
    INSERT INTO ledger_sums AS kept (wallet, segment, chain, token, debits, credits, received, fees, refunds, entries, transactions)
    SELECT $1, $10::bigint, s.* FROM (SELECT ${sumsOf('g')}, 1 FROM given g GROUP BY g.chain, g.token ORDER BY g.chain, g.token) s
    ON CONFLICT (wallet, segment, chain, token) DO UPDATE SET
      debits = kept.debits + excluded.debits, credits = kept.credits + excluded.credits,
      received = kept.received + excluded.received, fees = kept.fees + excluded.fees,
      refunds = kept.refunds + excluded.refunds, entries = kept.entries + excluded.entries,
      transactions = kept.transactions + excluded.transactions
  )
  UPDATE ledgers SET last_seq = posted.seq, last_hash = posted.hash FROM posted WHERE ledgers.wallet = posted.wallet`;

/** The sums of entries by asset, as they are kept. */
export function sumsOf(e: string): string {
  const of = (account: LedgerAccount) =>
    `coalesce(sum(${e}.amount) FILTER (WHERE ${e}.account = '${account}'), 0)`;
  return `${e}.chain, ${e}.token, -coalesce(sum(${e}.amount) FILTER (WHERE ${e}.amount < 0), 0),
    coalesce(sum(${e}.amount) FILTER (WHERE ${e}.amount > 0), 0), ${of('merchant:received')}, ${of('fees')}, ${of('refunds')}, count(*)`;
}

async function heldPosition(client: TransactionClient, wallet: string, reference: string): Promise<Position> {
  const { rows } = await client.query<{
    account: LedgerAccount;
    chain: string;
    token: string;
    amount: string;
  }>({
    name: 'ledger-held',
    text: `SELECT e.account, e.chain, e.token, sum(e.amount) AS amount
           FROM ledger_transactions t JOIN ledger_entries e USING (wallet, seq)
           WHERE t.reference = $2 AND t.wallet = $1
           GROUP BY e.account, e.chain, e.token HAVING sum(e.amount) <> 0`,
    values: [wallet, reference],
  });
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount) }));
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
      ...{ wallet, reference, version, occurredAtMs: occurred_at.getTime() },
      position: position.map((posting) => ({ ...posting, amount: BigInt(posting.amount) })),
    }));
}
