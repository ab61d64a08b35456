import { Controller } from '@nestjs/common';
import {
  ordersApi,
  type CreateOrderReply,
  type CreateOrderRequest,
  type OrderQuery,
  type OrderReply,
  type OrdersQuery,
  type OrdersReply,
  type ReportTransactionReply,
  type ReportTransactionRequest,
  type WalletCallQuery,
  type WalletCallReply,
} from '@tollbridge/contracts';
import {
  type CallContext,
  cursorOf,
  DomainError,
  type FieldError,
  Handles,
  readCursor,
  readPage,
  uuidOf,
  Validates,
} from '@tollbridge/rpc';
import { canonicalPayer } from '@tollbridge/chains';
import { priceErrors } from '@tollbridge/rates';
import { Deployments } from '../../chains/deployments';
import { fieldErrorsOfOrder } from '../create-order';
import { OrderWalletCalls } from './order-wallet-calls';
import { viewOf } from '../order-view';
import { OrdersRepository, type StoredOrder } from '../storage/orders.repository';
import { OrderPlacement } from '../order-placement';
import { OrderPrices } from '../order-prices';
import { TransactionReports } from '../transaction-reports';

@Controller()
@Handles(ordersApi)
export class OrdersHandlers {
  constructor(
    private readonly orders: OrdersRepository,
    private readonly reports: TransactionReports,
    private readonly deployments: Deployments,
    private readonly placing: OrderPlacement,
    private readonly prices: OrderPrices,
    private readonly walletCalls: OrderWalletCalls,
  ) {}

  async createOrder(request: CreateOrderRequest, context: CallContext): Promise<CreateOrderReply> {
    const route = this.deployments.requireRoute(request);
    const { merchant_amount, conversion } = await this.prices.amountOf(request, route, context);
    return this.placing.place({ ...request, merchant_amount }, route, context, { conversion });
  }

  @Validates(ordersApi.operations.createOrder)
  validateCreateOrder(given: Partial<CreateOrderRequest>): FieldError[] {
    const ofPrice = priceErrors(given, 'merchant_amount').map(([field, message]) => ({ field, message }));
    return [...ofPrice, ...fieldErrorsOfOrder(given, this.deployments)];
  }

  reportTransaction(
    request: ReportTransactionRequest,
    context: CallContext,
  ): Promise<ReportTransactionReply> {
    return this.reports.report(request, context);
  }

  async getOrder(query: OrderQuery): Promise<OrderReply> {
    const id = uuidOf(query.id);
    const order = id && (await this.orders.find(id));
    if (!order) throw new DomainError('NOT_FOUND', 'The order does not exist. Check its id.');
    return this.view(order);
  }

  async walletCall(query: WalletCallQuery): Promise<WalletCallReply> {
    return this.walletCalls.make(query);
  }

  async listOrders(query: OrdersQuery): Promise<OrdersReply> {
    const payer = canonicalPayer(query.payer);
    if (payer === null)
      throw DomainError.invalid([{ field: 'payer', message: 'is not an address of a supported chain' }]);
    const before = readCursor(query.cursor);
    const { page, limit, next } = await readPage(
      query.limit!,
      (most) => this.orders.listByPayer(payer, most, before),
      ({ createdAtMs: atMs, id }) => cursorOf({ atMs, id }),
    );
    return { orders: page.map((order) => this.view(order)), count: page.length, limit, next_cursor: next };
  }

  private view(order: StoredOrder): OrderReply {
    const chain = order.method === 'Direct' ? order.payChain : order.settleChain;
    return viewOf(order, this.deployments.find(chain)?.confirmations ?? 0);
  }
}
