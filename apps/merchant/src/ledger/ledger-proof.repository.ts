import { Injectable } from '@nestjs/common';
import type { LedgerProblemCode } from '@tollbridge/contracts';
import { Database, transaction, type TransactionClient } from '@tollbridge/database';
import type { Pool } from 'pg';
import { chains } from '@tollbridge/chains';
import { hashedEntries, hashOf, segmentOf, segmentSize, sumsOf } from './ledger.repository';

export interface SegmentCheck {
  segment: number;
  fromSeq: number;
  toSeq: number;
  problems: { code: LedgerProblemCode; seq: number | null }[];
}

export interface LedgerHead {
  lastSeq: number;
  lastHash: Buffer;
  haltedAt: Date | null;
  haltedSegment: number | null;
}

export interface AssetSums {
  chain: string;
  token: string;
  debits: string;
  credits: string;
  received: string;
  fees: string;
  refunds: string;
  entries: string;
  transactions: string;
}

/** A snapshot of a ledger, with the results of verifying some of its segments. */
export interface LedgerInspection {
  head: LedgerHead;
  assets: AssetSums[];
  waiting: number;
  checks: SegmentCheck[];
  /** The time of the oldest check of the other segments; null when at least one was never checked. */
  othersCheckedAt: Date | null;
  others: number;
}

export type Choose = (head: LedgerHead, longestUnchecked: number) => number[];

const recheckMs = 24 * 60 * 60_000;
const storedSums = 'chain, token, debits, credits, received, fees, refunds, entries, transactions';
const chainIds = chains.map(({ id }) => id);
/** An entry sums at most three amounts below 2^128, as the constraint `ledger_entries_plausible` requires. */
const entryBound = 2n ** 130n;
const range = 'wallet = $1 AND seq BETWEEN $2 AND $3';

/**
 * Reads ledgers to verify them. Uses SQL for aggregates in one snapshot (benchmark "prove a ledger of 1,000,000
 * entries").
 */
@Injectable()
export class LedgerProofRepository {
  private readonly pool: Pool;

  constructor({ pool }: Database) {
    this.pool = pool;
  }

  /**
   * Inspects a snapshot, so that concurrent postings do not appear as faults. Undefined for a wallet without a ledger.
   */
  async inspect(wallet: string, choose: Choose): Promise<LedgerInspection | undefined> {
    return transaction(this.pool, async (client) => {
      await client.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
      // Without current statistics of a fast-growing table, the planner would choose a nested loop over all entries.
      await client.query('SET LOCAL enable_nestloop = off');
      const head = await readHead(client, wallet);
      if (!head || head.lastSeq === 0) return undefined;
      const segments = choose(head, await longestUnchecked(client, wallet));
      const checks: SegmentCheck[] = [];
      for (const segment of segments) checks.push(await checkSegment(client, wallet, head, segment));
      return {
        head,
        checks,
        assets: await readSums(client, wallet),
        waiting: await countWaiting(client, wallet),
        ...(await readOthers(client, wallet, segments)),
      };
    });
  }

  async recordChecked(wallet: string, segments: readonly number[], nowMs: number): Promise<void> {
    await this.pool.query({
      name: 'ledger-checked',
      text: 'UPDATE ledger_checks SET checked_at = $3, check_at = $4 WHERE wallet = $1 AND segment = ANY($2::bigint[])',
      values: [wallet, segments, new Date(nowMs), new Date(nowMs + recheckMs)],
    });
  }

  /** Segments that are due for verification. */
  async due(nowMs: number, limit: number): Promise<{ wallet: string; segment: number }[]> {
    const { rows } = await this.pool.query<{ wallet: string; segment: string }>({
      name: 'ledger-checks-due',
      text: 'SELECT wallet, segment FROM ledger_checks WHERE check_at <= $1 ORDER BY check_at LIMIT $2',
      values: [new Date(nowMs), limit],
    });
    return rows.map(({ wallet, segment }) => ({ wallet, segment: Number(segment) }));
  }

  /** Halted ledgers, in random order so that each is checked at some time. */
  async halted(limit: number): Promise<string[]> {
    const { rows } = await this.pool.query<{ wallet: string }>({
      name: 'ledgers-halted',
      text: 'SELECT wallet FROM ledgers WHERE halted_at IS NOT NULL ORDER BY random() LIMIT $1',
      values: [limit],
    });
    return rows.map(({ wallet }) => wallet);
  }
}

async function readHead(client: TransactionClient, wallet: string): Promise<LedgerHead | undefined> {
  const { rows } = await client.query<{
    last_seq: string;
    last_hash: Buffer;
    halted_at: Date | null;
    halted_segment: string | null;
  }>({ name: 'ledger-head', text: 'SELECT * FROM ledgers WHERE wallet = $1', values: [wallet] });
  const [row] = rows;
  return (
    row && {
      lastSeq: Number(row.last_seq),
      lastHash: row.last_hash,
      haltedAt: row.halted_at,
      haltedSegment: row.halted_segment === null ? null : Number(row.halted_segment),
    }
  );
}

async function longestUnchecked(client: TransactionClient, wallet: string): Promise<number> {
  const { rows } = await client.query<{ segment: string }>({
    name: 'ledger-longest-unchecked',
    text: 'SELECT segment FROM ledger_checks WHERE wallet = $1 ORDER BY checked_at NULLS FIRST, segment LIMIT 1',
    values: [wallet],
  });
  return Number(rows[0]?.segment ?? 0);
}

async function readSums(client: TransactionClient, wallet: string): Promise<AssetSums[]> {
  const { rows } = await client.query<AssetSums>({
    name: 'ledger-sums',
    text: `SELECT chain, token, sum(debits) AS debits, sum(credits) AS credits, sum(received) AS received, sum(fees) AS fees,
             sum(refunds) AS refunds, sum(entries) AS entries, sum(transactions) AS transactions
           FROM ledger_sums WHERE wallet = $1 GROUP BY chain, token ORDER BY chain, token`,
    values: [wallet],
  });
  return rows;
}

async function countWaiting(client: TransactionClient, wallet: string): Promise<number> {
  const { rows } = await client.query<{ count: string }>({
    name: 'ledger-waiting-count',
    text: 'SELECT count(*) FROM ledger_waiting WHERE wallet = $1',
    values: [wallet],
  });
  return Number(rows[0]!.count);
}

async function readOthers(
  client: TransactionClient,
  wallet: string,
  segments: readonly number[],
): Promise<Pick<LedgerInspection, 'others' | 'othersCheckedAt'>> {
  const { rows } = await client.query<{ others: string; checked: string; checked_at: Date | null }>({
    name: 'ledger-other-checks',
    text: `SELECT count(*) AS others, count(checked_at) AS checked, min(checked_at) AS checked_at
           FROM ledger_checks WHERE wallet = $1 AND segment <> ALL($2::bigint[])`,
    values: [wallet, segments],
  });
  const { others, checked, checked_at } = rows[0]!;
  return { others: Number(others), othersCheckedAt: others === checked ? checked_at : null };
}

/** Verifies every entry of one segment, and the link to the last hash of the previous segment. */
async function checkSegment(
  client: TransactionClient,
  wallet: string,
  head: LedgerHead,
  segment: number,
): Promise<SegmentCheck> {
  const fromSeq = segment * segmentSize + 1;
  const toSeq = Math.min(fromSeq + segmentSize - 1, head.lastSeq);
  const isNewest = segment === segmentOf(head.lastSeq);
  const { rows } = await client.query<{
    unbalanced: string | null;
    missing: string | null;
    hash: string | null;
    implausible: string | null;
    sums: boolean;
  }>({
    name: 'ledger-check',
    text: checkStatement,
    values: [wallet, fromSeq, toSeq, segment, isNewest ? head.lastHash : null, chainIds],
  });
  const { sums, ...first } = rows[0]!;
  const problems: SegmentCheck['problems'] = Object.entries(first).flatMap(([code, seq]) =>
    seq === null ? [] : [{ code: code as LedgerProblemCode, seq: Number(seq) }],
  );
  if (sums) problems.push({ code: 'sums', seq: null });
  return { segment, fromSeq, toSeq, problems };
}

export const checkStatement = `
  WITH t AS (
    SELECT t.*, lag(hash) OVER (ORDER BY seq) AS hash_before, lag(seq) OVER (ORDER BY seq) AS seq_before
    FROM ledger_transactions t WHERE wallet = $1 AND seq BETWEEN $2::bigint - 1 AND $3
  ), e AS (
    SELECT seq, ${hashedEntries('e')} AS entries FROM ledger_entries e WHERE ${range} GROUP BY seq
  ), stored AS (
    SELECT ${storedSums} FROM ledger_sums WHERE wallet = $1 AND segment = $4
  ), found AS (
    SELECT ${sumsOf('e')}, count(DISTINCT e.seq) FROM ledger_entries e WHERE ${range} GROUP BY e.chain, e.token
  )
  SELECT
    (SELECT min(seq) FROM (SELECT seq FROM ledger_entries WHERE ${range}
       GROUP BY seq, chain, token HAVING sum(amount) <> 0) u) AS unbalanced,
    (SELECT min(s.seq) FROM generate_series(greatest($2::bigint - 1, 1), $3::bigint) s (seq)
       WHERE NOT EXISTS (SELECT FROM t WHERE t.seq = s.seq)) AS missing,
    (SELECT min(t.seq) FROM t LEFT JOIN e USING (seq)
       WHERE t.seq >= $2 AND (t.hash IS DISTINCT FROM ${hashOf('t', 'e.entries')}
         OR (t.seq = 1 AND t.previous_hash <> decode(repeat('00', 32), 'hex'))
         OR (t.seq_before = t.seq - 1 AND t.previous_hash <> t.hash_before)
         OR (t.seq = $3 AND t.hash <> $5::bytea))) AS hash,
    (SELECT min(e.seq) FROM ledger_entries e LEFT JOIN t ON t.seq = e.seq
       WHERE e.wallet = $1 AND e.seq BETWEEN $2 AND $3
         AND (abs(e.amount) >= ${entryBound} OR e.chain <> ALL($6::text[])
           OR (t.kind IN ('payment', 'refund') AND (e.account = 'payer') = (e.amount > 0)))) AS implausible,
    EXISTS ((TABLE stored EXCEPT TABLE found) UNION ALL (TABLE found EXCEPT TABLE stored)) AS sums`;
