import { Controller, Inject } from '@nestjs/common';
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
} from '@tollbridge/api';
import { DomainError, Handles, type CallContext, type FieldError } from '@tollbridge/bus';
import { canonicalPayer } from '@tollbridge/chains';
import { Clock } from '@tollbridge/data';
import { OutboxWorker, ServiceConfig } from '@tollbridge/service';
import { Deployments } from '../chains/deployments';
import type { PayOrdersConfig } from '../config';
import { RouteCommitments } from '../cross-chain/commit-route';
import { createdReply, problemsOf, termsOf } from './create-order';
import type { OrderDeposit } from './order';
import { cursorOf, orderIdOf, readCursor, viewOf } from './order-view';
import { OrdersRepository, type StoredOrder } from './orders.repository';

const maxLimit = 100;
const notEvmHash = 'must be a transaction hash: 0x and 64 hexadecimal digits';

// 64 digits without 0x are a hash of Bitcoin, Tron and others.
const hexadecimal = /^(0x[0-9a-fA-F]+|[0-9a-fA-F]{64})$/;

/** Hexadecimal has no case; base58 and base64 have. */
const txHashOf = (text: string): string => (hexadecimal.test(text) ? text.toLowerCase() : text);

@Controller()
@Handles(ordersApi)
export class OrdersHandlers {
  constructor(
    private readonly orders: OrdersRepository,
    private readonly deployments: Deployments,
    private readonly commitments: RouteCommitments,
    private readonly outbox: OutboxWorker,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceConfig) private readonly config: PayOrdersConfig,
  ) {}

  async createOrder(request: CreateOrderRequest, context: CallContext): Promise<CreateOrderReply> {
    const route = this.deployments.route(request);
    if ('reason' in route) throw new DomainError('ROUTE_UNAVAILABLE', route.reason);
    const terms = termsOf(request, route, this.clock.now(), this.config.PAY_ORDERS_LIFETIME_SECONDS);
    let deposit: OrderDeposit | null = null;
    if (route.method === 'Direct') await this.orders.insert(terms, context);
    else deposit = await this.commitments.commit(terms, route, context);
    this.outbox.wake();
    return createdReply(terms, deposit);
  }

  problemsOfCreateOrder(given: Partial<CreateOrderRequest>): FieldError[] {
    return problemsOf(given, this.deployments);
  }

  /** An unknown order, and one that does not wait, are answered alike: an id must not be told from a guess. */
  async reportTransaction(
    request: ReportTransactionRequest,
    context: CallContext,
  ): Promise<ReportTransactionReply> {
    const id = orderIdOf(request.id);
    const outcome = id
      ? await this.orders.report(id, txHashOf(request.tx_hash), this.clock.now(), context)
      : 'notWaiting';
    if (outcome === 'notWaiting') throw new DomainError('ORDER_NOT_WAITING');
    if (outcome === 'notOfThisChain') throw DomainError.invalid([{ field: 'tx_hash', message: notEvmHash }]);
    if (outcome === 'claimedByAnother') throw new DomainError('TX_ALREADY_REPORTED');
    this.outbox.wake();
    return { ok: true, status: 'settling' };
  }

  async getOrder(query: OrderQuery): Promise<OrderReply> {
    const id = orderIdOf(query.id);
    const order = id && (await this.orders.find(id));
    if (!order) throw new DomainError('NOT_FOUND', 'There is no order with this id.');
    return this.view(order);
  }

  async listOrders(query: OrdersQuery): Promise<OrdersReply> {
    const payer = canonicalPayer(query.payer);
    if (payer === null)
      throw DomainError.invalid([{ field: 'payer', message: 'is not an address of a supported chain' }]);
    const before = query.cursor === undefined ? undefined : readCursor(query.cursor);
    if (query.cursor !== undefined && !before)
      throw DomainError.invalid([{ field: 'cursor', message: 'is not a cursor of this list' }]);
    const limit = Math.min(query.limit ?? 20, maxLimit);
    // One more than asked for tells whether there is another page.
    const found = await this.orders.listByPayer(payer, limit + 1, before);
    const page = found.slice(0, limit);
    const next = found.length > limit ? cursorOf(page.at(-1)!) : null;
    return { orders: page.map((order) => this.view(order)), count: page.length, limit, next_cursor: next };
  }

  private view(order: StoredOrder): OrderReply {
    const chain = order.method === 'Direct' ? order.payChain : order.settleChain;
    return viewOf(order, this.deployments.find(chain)?.confirmations ?? 0);
  }
}
