import { Controller, Inject } from '@nestjs/common';
import {
  merchantPaymentsApi,
  mostCounted,
  type PaymentsQuery,
  type PaymentsReply,
  type StatsQuery,
  type StatsReply,
} from '@tollbridge/contracts';
import {
  type CallContext,
  cursorOf,
  DomainError,
  Handles,
  merchantOf,
  readCursor,
  readPage,
} from '@tollbridge/rpc';
import { Clock } from '@tollbridge/database';
import { ChainNodes } from '../chains/chain-nodes';
import { fromTokenOf } from './options/payment-options';
import { periodOf, periodStarts } from './payment';
import { paymentView, statsView } from './payment-view';
import { PaymentsRepository, type PaymentFilter } from './payments.repository';
import { DayRatesRepository } from '../rates/day-rates.repository';
import { MerchantDefaults } from '../settings/merchant-defaults';
import { PaymentReferences } from './requests/payment-references.repository';
import { PaymentRequestsRepository } from './requests/payment-requests.repository';

/** Operations of merchants on the payments of their requests. */
@Controller()
@Handles(merchantPaymentsApi)
export class MerchantPaymentsHandlers {
  constructor(
    private readonly payments: PaymentsRepository,
    private readonly references: PaymentReferences,
    private readonly requests: PaymentRequestsRepository,
    private readonly chains: ChainNodes,
    private readonly defaults: MerchantDefaults,
    private readonly dayRates: DayRatesRepository,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  async listPayments(query: PaymentsQuery, context: CallContext): Promise<PaymentsReply> {
    const filter = this.filterOf(query, merchantOf(context));
    const before = readCursor(query.cursor);
    const [{ page, limit, next }, counted] = await Promise.all([
      readPage(
        query.limit!,
        (most) => this.payments.list(filter, most, before),
        ({ createdAtMs: atMs, id }) => cursorOf({ atMs, id }),
      ),
      this.payments.count(filter, mostCounted + 1),
    ]);
    const references = await this.references.of(page.map(({ orderId }) => orderId));
    return {
      payments: page.map((payment) => paymentView(payment, references.get(payment.orderId)!.metadata)),
      total: Math.min(counted, mostCounted),
      total_is_capped: counted > mostCounted,
      limit,
      next_cursor: next,
    };
  }

  async merchantStats(_query: StatsQuery, context: CallContext): Promise<StatsReply> {
    const wallet = merchantOf(context);
    const starts = periodStarts(this.clock.now());
    const [rows, currency] = await Promise.all([
      this.requests.stats(wallet, starts),
      this.defaults.currency(wallet),
    ]);
    const fromDay = starts.week < starts.month ? starts.week : starts.month;
    const days =
      currency === 'USD' ? [] : await this.dayRates.paidDays('requests', { wallet, fromDay, currency });
    return statsView(rows, { starts, currency, days });
  }

  /** Resolves names of chains and tokens. A token that this deployment does not have matches no payment. */
  private filterOf({ status, currency, chain, ...period }: PaymentsQuery, wallet: string): PaymentFilter {
    const chainId = chain === undefined ? undefined : this.chains.find(chain)?.id;
    if (chain !== undefined && chainId === undefined)
      throw DomainError.invalid([{ field: 'chain', message: 'must be a chain of GET /api/v1/pay/chains' }]);
    const symbol =
      currency && chainId ? fromTokenOf(this.chains, chainId, currency)?.token.symbol : undefined;
    return {
      wallet,
      status,
      chain: chainId,
      currency: symbol ?? currency,
      ...periodOf(period),
    };
  }
}
