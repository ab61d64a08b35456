import { Injectable } from '@nestjs/common';
import type { TransactionFilters, TransactionRecord } from '@tollbridge/contracts';
import {
  DomainError,
  invalidCursor,
  merchantOf,
  uuidOf,
  type CallContext,
  type FieldError,
} from '@tollbridge/rpc';
import { findChain } from '@tollbridge/chains';
import {
  noReference,
  PaymentReferences,
  type RecordReference,
} from '../payments/requests/payment-references.repository';
import { DayRatesRepository } from '../rates/day-rates.repository';
import { fiatValue } from '../rates/fiat-volume';
import { MerchantDefaults } from '../settings/merchant-defaults';
import { DashboardRepository, type ListedRecord, type RecordFilters } from './dashboard.repository';

/** Reads pages of a wallet's records, for lists and exports. */
@Injectable()
export class RecordPages {
  constructor(
    private readonly dashboard: DashboardRepository,
    private readonly references: PaymentReferences,
    private readonly defaults: MerchantDefaults,
    private readonly dayRates: DayRatesRepository,
  ) {}

  async read(query: TransactionFilters, limit: number, context: CallContext): Promise<TransactionRecord[]> {
    const wallet = merchantOf(context);
    const { cursor } = query;
    const createdAt = cursor && (await this.dashboard.findCreatedAt(wallet, cursor));
    // The cursor of another wallet's record is rejected like an unknown one.
    if (cursor !== undefined && !createdAt)
      throw DomainError.invalid([{ field: 'cursor', message: invalidCursor }]);
    const before = cursor && createdAt ? { createdAt, id: cursor } : undefined;
    const records = await this.dashboard.list(wallet, filtersOf(query), limit, before);
    return this.viewsOf(records, wallet);
  }

  /** @throws DomainError NOT_FOUND for an unknown id and for a record of another wallet */
  async readOne(id: string, context: CallContext): Promise<TransactionRecord> {
    const uuid = uuidOf(id);
    const wallet = merchantOf(context);
    const record = uuid === undefined ? undefined : await this.dashboard.find(wallet, uuid);
    if (!record) throw new DomainError('NOT_FOUND', 'The transaction does not exist. Check its id.');
    return (await this.viewsOf([record], wallet))[0]!;
  }

  private async viewsOf(records: readonly ListedRecord[], wallet: string): Promise<TransactionRecord[]> {
    const [references, currency] = await Promise.all([
      this.references.of(records.map(keyOf)),
      this.defaults.currency(wallet),
    ]);
    const views = records.map((record) => viewOf(record, references.get(keyOf(record))));
    return currency === 'USD' ? views : this.valued(views, currency);
  }

  /** Adds the values in the merchant's currency. */
  private async valued(views: readonly TransactionRecord[], currency: string): Promise<TransactionRecord[]> {
    const dayOf = ({ updated_at: at }: TransactionRecord): string => at.slice(0, 10);
    const valuable = views.filter((view) => view.status === 'completed' && view.updated_at !== '');
    const rates = await this.dayRates.ratesOf(currency, valuable.map(dayOf));
    return views.map((view) => {
      const { price = null, value_usd: valueUsd } = view;
      const isPaid = view.status === 'completed' && view.tx_type === 'payment';
      const value = isPaid ? fiatValue({ price, valueUsd, rate: rates.get(dayOf(view)) }, currency) : null;
      return { ...view, value, value_currency: currency };
    });
  }
}

/** Errors for filters that violate a rule which the declaration cannot express. */
export function validateFilters({ network, from, to }: Partial<TransactionFilters>): FieldError[] {
  const errors: FieldError[] = [];
  if (network !== undefined && !findChain(network))
    errors.push({ field: 'network', message: 'is not a supported chain' });
  if (from !== undefined && to !== undefined && Date.parse(from) >= Date.parse(to))
    errors.push({ field: 'to', message: 'must be later than from' });
  return errors;
}

function filtersOf({ q, type, status, token, network, from, to }: TransactionFilters): RecordFilters {
  return {
    ...(q !== undefined && { q }),
    ...(type !== undefined && { type }),
    ...(status !== undefined && { status }),
    ...(token !== undefined && { token }),
    ...(network !== undefined && { network: findChain(network)!.id }),
    ...(from !== undefined && { fromMs: Date.parse(from) }),
    ...(to !== undefined && { toMs: Date.parse(to) }),
  };
}

/** The driver returns a time beyond JavaScript's range as a number. Such a row must not fail the page. */
const isoOf = (time: Date | number): string =>
  time instanceof Date && !Number.isNaN(time.getTime()) ? time.toISOString() : '';

/**
 * The id to look up the reference of a record: the order, or the PayLink payment, which shares its id with the
 * record.
 */
const keyOf = ({ id, order_id: orderId }: ListedRecord): string => orderId ?? id;

const describedBy = ({ tx_type: type }: ListedRecord, { description }: RecordReference): string =>
  `${type === 'refund' ? 'Deposit sent back: ' : ''}${description || 'Payment request'}`;

function viewOf(row: ListedRecord, reference: RecordReference | undefined): TransactionRecord {
  const { payment_request_id, paylink_id, metadata, conversion } = reference ?? noReference;
  const priced = row.conversion ?? (row.tx_type === 'payment' ? conversion : null);
  return {
    id: row.id,
    wallet_address: row.wallet,
    tx_type: row.tx_type,
    amount: row.amount,
    ...priced,
    token: row.token,
    network: row.network,
    status: row.status,
    tx_hash: row.tx_hash,
    counterparty: row.counterparty,
    description: payment_request_id ? describedBy(row, reference!) : row.description,
    order_id: row.order_id,
    payment_request_id,
    paylink_id,
    metadata,
    value_usd: row.value_usd,
    fee_amount: row.fee_amount,
    late: row.late,
    confirmed_by: row.status !== 'completed' ? null : row.is_confirmed ? 'merchant' : 'chain',
    created_at: isoOf(row.created_at),
    updated_at: isoOf(row.updated_at),
  };
}
