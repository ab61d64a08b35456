import { Controller, Inject } from '@nestjs/common';
import {
  dashboardApi,
  type OverviewQuery,
  type OverviewReply,
  type TransactionLookup,
  type TransactionRecord,
  type TransactionsQuery,
} from '@tollbridge/contracts';
import {
  type CallContext,
  type FieldError,
  Handles,
  merchantOf,
  pageWithNext,
  readPage,
  Validates,
} from '@tollbridge/rpc';
import { Clock } from '@tollbridge/database';
import { ActivePaylinksRepository } from './active-paylinks.repository';
import { DashboardRepository } from './dashboard.repository';
import { firstDayOf, inCurrency, overviewOf } from './overview';
import { DayRatesRepository } from '../rates/day-rates.repository';
import { MerchantDefaults } from '../settings/merchant-defaults';
import { validateFilters, RecordPages } from './record-pages';

@Controller()
@Handles(dashboardApi)
export class DashboardHandlers {
  constructor(
    private readonly dashboard: DashboardRepository,
    private readonly pages: RecordPages,
    private readonly paylinks: ActivePaylinksRepository,
    private readonly defaults: MerchantDefaults,
    private readonly dayRates: DayRatesRepository,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  async getOverview(_query: OverviewQuery, context: CallContext): Promise<OverviewReply> {
    const wallet = merchantOf(context);
    const nowMs = this.clock.now();
    const [sums, activePaylinks, currency] = await Promise.all([
      this.dashboard.sums(wallet, firstDayOf(nowMs)),
      this.paylinks.count(wallet, nowMs),
      this.defaults.currency(wallet),
    ]);
    const overview = overviewOf(sums, activePaylinks, nowMs);
    if (currency === 'USD') return overview;
    const days = await this.dayRates.paidDays('records', { wallet, fromDay: '-infinity', currency });
    return inCurrency(overview, days, currency);
  }

  async listTransactions(query: TransactionsQuery, context: CallContext): Promise<TransactionRecord[]> {
    const { page, limit, next } = await readPage(
      query.limit!,
      (most) => this.pages.read(query, most, context),
      (last) => last.id,
    );
    return pageWithNext(page, next ?? undefined, limit);
  }

  getTransaction({ id }: TransactionLookup, context: CallContext): Promise<TransactionRecord> {
    return this.pages.readOne(id, context);
  }

  @Validates(dashboardApi.operations.listTransactions)
  validateListTransactions(query: Partial<TransactionsQuery>): FieldError[] {
    return validateFilters(query);
  }
}
