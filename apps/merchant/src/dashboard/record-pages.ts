import { Injectable } from '@nestjs/common';
import type { TransactionFilters, TransactionRecord } from '@tollbridge/contracts';
import { DomainError, invalidCursor, merchantOf, type CallContext, type FieldError } from '@tollbridge/rpc';
import { findChain } from '@tollbridge/chains';
import { DashboardRepository, type ListedRecord, type RecordFilters } from './dashboard.repository';

/** Reads what a wallet asks for of its transactions, to be shown or to be written to a file. */
@Injectable()
export class RecordPages {
  constructor(private readonly dashboard: DashboardRepository) {}

  async read(query: TransactionFilters, limit: number, context: CallContext): Promise<TransactionRecord[]> {
    const wallet = merchantOf(context);
    const { cursor } = query;
    const createdAt = cursor && (await this.dashboard.findCreatedAt(wallet, cursor));
    // Another wallet's record is answered as one that does not exist.
    if (cursor !== undefined && !createdAt)
      throw DomainError.invalid([{ field: 'cursor', message: invalidCursor }]);
    const before = cursor && createdAt ? { createdAt, id: cursor } : undefined;
    const records = await this.dashboard.list(wallet, filtersOf(query), limit, before);
    return records.map(viewOf);
  }
}

/** What a declaration cannot check. */
export function validateFilters({ network, from, to }: Partial<TransactionFilters>): FieldError[] {
  const problems: FieldError[] = [];
  if (network !== undefined && !findChain(network))
    problems.push({ field: 'network', message: 'is not a supported chain' });
  if (from !== undefined && to !== undefined && Date.parse(from) >= Date.parse(to))
    problems.push({ field: 'to', message: 'must be later than from' });
  return problems;
}

function filtersOf({ type, status, token, network, from, to }: TransactionFilters): RecordFilters {
  return {
    ...(type !== undefined && { type }),
    ...(status !== undefined && { status }),
    ...(token !== undefined && { token }),
    ...(network !== undefined && { network: findChain(network)!.id }),
    ...(from !== undefined && { fromMs: Date.parse(from) }),
    ...(to !== undefined && { toMs: Date.parse(to) }),
  };
}

/** The driver reads a time that JavaScript does not have as a number: one bad row must not cost the whole page. */
const isoOf = (time: Date | number): string =>
  time instanceof Date && !Number.isNaN(time.getTime()) ? time.toISOString() : '';

function viewOf(row: ListedRecord): TransactionRecord {
  return {
    id: row.id,
    wallet_address: row.wallet,
    tx_type: row.tx_type,
    amount: row.amount,
    token: row.token,
    network: row.network,
    status: row.status,
    tx_hash: row.tx_hash,
    counterparty: row.counterparty,
    description: row.description,
    order_id: row.order_id,
    value_usd: row.value_usd,
    fee_amount: row.fee_amount,
    late: row.late,
    confirmed_by: row.status !== 'completed' ? null : row.is_confirmed ? 'merchant' : 'chain',
    created_at: isoOf(row.created_at),
    updated_at: isoOf(row.updated_at),
  };
}
