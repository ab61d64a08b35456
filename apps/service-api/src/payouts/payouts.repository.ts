import { Injectable } from '@nestjs/common';
import type { PayoutState } from '@tollbridge/contracts';
import type { CallContext, ListPosition } from '@tollbridge/rpc';
import { Database, storeReply, transaction } from '@tollbridge/database';
import type { Pool, PoolClient } from 'pg';
import type { Sending } from './sending/batch';
import { batchFromRow, insertBatches, type BatchRow } from './sending/batch-rows.repository';
import { appendPayoutUpdated } from './sending/payout-events.repository';
import {
  lookOf,
  type PayoutLine,
  type PricedPayout,
  type RecipientWarning,
  type StoredPayout,
} from './payout';

interface PayoutRow {
  id: string;
  wallet: string;
  key_id: string | null;
  chain: string;
  token: string;
  decimals: number;
  total_atomic: string;
  fee_atomic: string;
  estimated_gas: string;
  gas_source: PricedPayout['gasSource'];
  warnings: RecipientWarning[];
  warning_count: number;
  created_at: Date;
  state: PayoutState | null;
  token_address: string | null;
  contract: string | null;
  value_usd: string | null;
  deadline: string | null;
  approve_until: Date | null;
}

/** A payout without its recipients. */
export interface ListedPayout {
  id: string;
  chain: string;
  token: string;
  recipientCount: number;
  totalAtomic: bigint;
  feeAtomic: bigint;
  state: PayoutState | null;
  approveUntilMs: number | null;
  createdAtMs: number;
}

type ListedRow = Pick<
  PayoutRow,
  'id' | 'chain' | 'token' | 'total_atomic' | 'fee_atomic' | 'state' | 'approve_until' | 'created_at'
> & { recipients: number };

interface LineRow {
  address: string;
  amount_atomic: string;
}

// Lookalikes are rare without an attack, and a few are enough for a warning.
const maxAlike = 1_000;

/** Payouts with their recipients. SQL: payout, recipients and batches are set-based writes of one transaction. */
@Injectable()
export class PayoutsRepository {
  private readonly pool: Pool;

  constructor({ pool }: Database) {
    this.pool = pool;
  }

  /** Stores payout, recipients, batches, event and reply in one transaction. */
  async insert(payout: StoredPayout, context: CallContext, reply: object): Promise<void> {
    await transaction(this.pool, async (client) => {
      await insertPayout(client, payout);
      await insertLines(client, payout);
      if (payout.sending) {
        await insertBatches(client, payout.id, payout.sending.batches);
        await appendPayoutUpdated(client, payout.id, context);
      }
      await storeReply(client, context, reply);
    });
  }

  async find(id: string): Promise<StoredPayout | undefined> {
    const found = await this.pool.query<PayoutRow>({
      name: 'payout-find',
      text: 'SELECT * FROM payouts WHERE id = $1',
      values: [id],
    });
    const [row] = found.rows;
    if (!row) return undefined;
    const { rows } = await this.pool.query<LineRow>({
      name: 'payout-lines',
      text: 'SELECT address, amount_atomic FROM payout_recipients WHERE payout_id = $1 ORDER BY place',
      values: [id],
    });
    const batches = row.state === null ? [] : await this.batchesOf(id);
    return fromRow(row, rows, batches);
  }

  /** Returns payouts after `before`, newest first. The number of recipients is their last position plus one. */
  async list(
    { wallet, state }: { wallet: string; state: PayoutState | undefined },
    limit: number,
    before: ListPosition | undefined,
  ): Promise<ListedPayout[]> {
    const values: unknown[] = [wallet, limit];
    const given = (value: unknown): string => `$${values.push(value)}`;
    const conditions = [
      'wallet = $1',
      ...(state === undefined ? [] : [`state = ${given(state)}`]),
      ...(before ? [`(created_at, id) < (${given(new Date(before.atMs))}, ${given(before.id)}::uuid)`] : []),
    ];
    const { rows } = await this.pool.query<ListedRow>(
      `SELECT id, chain, token, total_atomic, fee_atomic, state, approve_until, created_at,
         (SELECT place + 1 FROM payout_recipients WHERE payout_id = id ORDER BY place DESC LIMIT 1) AS recipients
       FROM payouts WHERE ${conditions.join(' AND ')} ORDER BY created_at DESC, id DESC LIMIT $2`,
      values,
    );
    return rows.map(listedFromRow);
  }

  private async batchesOf(id: string): Promise<BatchRow[]> {
    const { rows } = await this.pool.query<BatchRow>({
      name: 'payout-batches',
      text: 'SELECT * FROM payout_batches WHERE payout_id = $1 ORDER BY place',
      values: [id],
    });
    return rows;
  }

  /** Returns addresses that the wallet paid before and that resemble, but do not equal, an address of these lines. */
  async paidAlike(wallet: string, lines: readonly PayoutLine[]): Promise<string[]> {
    const addresses = [...new Set(lines.map(({ address }) => address))];
    const { rows } = await this.pool.query<{ address: string }>({
      name: 'payout-alike',
      text: `SELECT DISTINCT address FROM payout_recipients
             WHERE wallet = $1 AND look = ANY($2::text[]) AND address <> ALL($3::text[]) ORDER BY address LIMIT $4`,
      values: [wallet, addresses.map(lookOf), addresses, maxAlike],
    });
    return rows.map(({ address }) => address);
  }
}

async function insertPayout(client: PoolClient, payout: StoredPayout): Promise<void> {
  const { plan, warnings, sending } = payout;
  const createdAt = new Date(payout.createdAtMs);
  await client.query({
    name: 'payout-insert',
    text: `INSERT INTO payouts (id, wallet, key_id, chain, token, decimals, total_atomic, fee_atomic, estimated_gas,
             gas_source, warnings, warning_count, status, created_at, state, token_address, contract, value_usd, deadline,
             approve_until, updated_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 'pending', $13, $14, $15, $16, $17, $18, $19, $20)`,
    values: [
      payout.id,
      payout.wallet,
      payout.keyId,
      payout.chain,
      payout.token,
      payout.decimals,
      String(plan.totalAtomic),
      String(plan.feeAtomic),
      String(payout.gasUnits),
      payout.gasSource,
      JSON.stringify(warnings),
      payout.warningCount,
      createdAt,
      ...sendingValues(sending, createdAt),
    ],
  });
}

/** The values in column order; all null for a payout that is not sent on chain. */
function sendingValues(sending: Sending | null, createdAt: Date): unknown[] {
  if (!sending) return Array.from({ length: 7 }, () => null);
  const { state, tokenAddress, contract, valueUsd, deadline, approveUntilMs } = sending;
  return [state, tokenAddress, contract, valueUsd, deadline, new Date(approveUntilMs), createdAt];
}

async function insertLines(client: PoolClient, { id, wallet, plan }: StoredPayout): Promise<void> {
  await client.query({
    name: 'payout-lines-insert',
    text: `INSERT INTO payout_recipients (payout_id, place, wallet, address, look, amount_atomic)
           SELECT $1, line.place - 1, $2, line.address, line.look, line.amount
           FROM unnest($3::text[], $4::text[], $5::numeric[]) WITH ORDINALITY AS line (address, look, amount, place)`,
    values: [
      id,
      wallet,
      plan.lines.map(({ address }) => address),
      plan.lines.map(({ address }) => lookOf(address)),
      plan.lines.map((line) => String(line.amountAtomic)),
    ],
  });
}

function listedFromRow(row: ListedRow): ListedPayout {
  return {
    id: row.id,
    chain: row.chain,
    token: row.token,
    recipientCount: row.recipients,
    totalAtomic: BigInt(row.total_atomic),
    feeAtomic: BigInt(row.fee_atomic),
    state: row.state,
    approveUntilMs: row.approve_until?.getTime() ?? null,
    createdAtMs: row.created_at.getTime(),
  };
}

function fromRow(row: PayoutRow, lines: readonly LineRow[], batches: readonly BatchRow[]): StoredPayout {
  return {
    id: row.id,
    wallet: row.wallet,
    keyId: row.key_id,
    chain: row.chain,
    token: row.token,
    decimals: row.decimals,
    plan: {
      lines: lines.map(({ address, amount_atomic }) => ({ address, amountAtomic: BigInt(amount_atomic) })),
      totalAtomic: BigInt(row.total_atomic),
      feeAtomic: BigInt(row.fee_atomic),
    },
    gasUnits: BigInt(row.estimated_gas),
    gasSource: row.gas_source,
    warnings: row.warnings,
    warningCount: row.warning_count,
    createdAtMs: row.created_at.getTime(),
    sending: sendingOf(row, batches),
  };
}

function sendingOf(row: PayoutRow, batches: readonly BatchRow[]): Sending | null {
  if (row.state === null) return null;
  return {
    state: row.state,
    tokenAddress: row.token_address!,
    contract: row.contract!,
    valueUsd: row.value_usd,
    deadline: Number(row.deadline),
    approveUntilMs: row.approve_until!.getTime(),
    batches: batches.map(batchFromRow),
  };
}
