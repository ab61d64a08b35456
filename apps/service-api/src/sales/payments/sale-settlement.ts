import { Inject, Injectable } from '@nestjs/common';
import { ServiceConfig, ServiceLogger } from '@tollbridge/bootstrap';
import type { Logger } from '@tollbridge/observability';
import { DomainError } from '@tollbridge/rpc';
import { setTimeout as pause } from 'node:timers/promises';
import type { Sale } from '../sale';
import { SalesRepository, type NewSale } from '../sales.repository';
import type { SalesConfig } from '../settings';
import { UnclaimedRepository } from '../unclaimed/unclaimed.repository';
import { PaymentSchemes } from './payment-schemes';
import type { Settlement } from './sale-payments';

// Limit per deployment, of sales that are claimed or settled and not yet bought.
const maxInProgress = 200;
const firstPauseMs = 50;
const longestPauseMs = 500;
// The usual duration of a settlement. A concurrent call with the same payment waits for it.
const waitMs = 25_000;

/** Claims payments for sales, and settles them. The outcome of each settlement is stored. */
@Injectable()
export class SaleSettlement {
  constructor(
    private readonly sales: SalesRepository,
    private readonly schemes: PaymentSchemes,
    private readonly unclaimed: UnclaimedRepository,
    @Inject(ServiceConfig) private readonly config: Pick<
      SalesConfig,
      'SALES_PAYER_DAY_USD' | 'SALES_DAY_USD'
    >,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {}

  /** @throws DomainError CONFLICT for an offer that is already paid, RATE_LIMIT_EXCEEDED at a spend limit */
  async claim(sale: NewSale): Promise<{ sale: Sale; isMine: boolean }> {
    const { SALES_PAYER_DAY_USD: payerDayUsd, SALES_DAY_USD: dayUsd } = this.config;
    const claimed = await this.sales.claim(sale, { payerDayUsd, dayUsd, inProgress: maxInProgress });
    if (claimed.kind === 'sale') return claimed;
    if (claimed.kind === 'offerPaid')
      throw new DomainError('CONFLICT', 'This offer was paid by another payment. Ask for a new one.');
    const { limit } = claimed;
    if (limit !== 'payer') this.logger.warn({ limit }, 'sale rejected by a limit of all payers');
    throw new DomainError('RATE_LIMIT_EXCEEDED', limitTexts[limit], {
      retryAfterSeconds: limit === 'busy' ? 5 : 3_600,
    });
  }

  /** Settles the sale, or waits for the call that does. */
  async settledBy(claimed: Sale): Promise<Sale> {
    const untilMs = performance.now() + waitMs;
    let sale = claimed;
    for (let pauseMs = firstPauseMs; sale.state === 'claimed' && performance.now() < untilMs;) {
      const held = await this.sales.leaseSettlement(sale);
      if (held) return this.settle(held);
      await pause(pauseMs);
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
      sale = (await this.sales.get(sale.id))!;
    }
    return sale;
  }

  /** Settles a leased sale and stores the outcome. */
  async settle(sale: Sale): Promise<Sale> {
    const outcome = await this.schemes.of(sale).settle(sale);
    const stored = await this.store(sale, outcome);
    if (outcome.kind === 'unknown')
      this.logger.warn({ saleId: sale.id }, 'settlement of a sale unknown, retrying');
    // Another process has settled the sale, and its outcome is stored.
    return stored ?? (await this.sales.get(sale.id))!;
  }

  private async store(sale: Sale, outcome: Settlement): Promise<Sale | undefined> {
    if (outcome.kind !== 'elsewhere') {
      if (isChargedElsewhere(sale, outcome)) await this.list(sale);
      return this.sales.settled(sale, outcome);
    }
    this.logger.warn(
      { saleId: sale.id, transaction: outcome.payment.transaction },
      'sale settled elsewhere, refunding',
    );
    return this.sales.settledElsewhere(sale, outcome.payment);
  }

  /** Lists the charge as unclaimed, because the ledger refunds a charge only to the call that made it. */
  private async list({ network, asset, payer, nonce, amountAtomic, id }: Sale): Promise<void> {
    const received = { network, asset, payer, nonce, amountAtomic, transaction: nonce, logIndex: 0 };
    if (await this.unclaimed.listOne(received, 'charged by another call than its sale'))
      this.logger.error(
        { saleId: id, payer },
        'payment to the sales wallet without a sale, operator action needed',
      );
  }
}

const limitTexts = {
  payer: 'This payer has reached the daily limit of purchases without an account. Use an API key, or wait.',
  total: 'The daily limit of purchases without an account is reached. Use an API key, or wait.',
  busy: 'Too many purchases are being processed. Retry after retryAfter seconds.',
} as const;

const isChargedElsewhere = ({ scheme }: Sale, outcome: Settlement): boolean =>
  scheme !== 'exact' &&
  outcome.kind === 'rejected' &&
  (outcome.failure.details as { reason?: unknown }).reason === 'duplicate_settlement';
