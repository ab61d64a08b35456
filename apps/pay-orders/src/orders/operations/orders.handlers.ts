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
import { ChainAdapters } from '@tollbridge/chain-port';
import { canonicalPayer, canonicalTxHash, isTxHash, txHashShape } from '@tollbridge/chains';
import { Clock } from '@tollbridge/database';
import { OutboxWorker } from '@tollbridge/bootstrap';
import { Deployments } from '../../chains/deployments';
import { fieldErrorsOfOrder } from '../create-order';
import { OrderWalletCalls } from './order-wallet-calls';
import { viewOf } from '../order-view';
import { OrdersRepository, type StoredOrder } from '../storage/orders.repository';
import { OrderPlacement } from '../order-placement';
import { SubmittedTransactions } from '../submitted-transactions';
import { TransactionReportsRepository } from '../storage/transaction-reports.repository';

@Controller()
@Handles(ordersApi)
export class OrdersHandlers {
  constructor(
    private readonly orders: OrdersRepository,
    private readonly reports: TransactionReportsRepository,
    private readonly deployments: Deployments,
    private readonly adapters: ChainAdapters,
    private readonly placing: OrderPlacement,
    private readonly walletCalls: OrderWalletCalls,
    private readonly submitted: SubmittedTransactions,
    private readonly outbox: OutboxWorker,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  async createOrder(request: CreateOrderRequest, context: CallContext): Promise<CreateOrderReply> {
    return this.placing.place(request, context);
  }

  @Validates(ordersApi.operations.createOrder)
  validateCreateOrder(given: Partial<CreateOrderRequest>): FieldError[] {
    return fieldErrorsOfOrder(given, this.deployments);
  }

  /** An unknown order and one that does not wait get the same error, so that guesses of ids reveal nothing. */
  async reportTransaction(
    request: ReportTransactionRequest,
    context: CallContext,
  ): Promise<ReportTransactionReply> {
    const id = uuidOf(request.id);
    const reply: ReportTransactionReply = { ok: true, status: 'settling' };
    const txHash = canonicalTxHash(request.tx_hash);
    const chains = this.adapters.all
      .map(({ chain }) => chain)
      .filter((chain) => isTxHash(chain, txHash))
      .map(({ id }) => id);
    const report = { txHash, directChains: chains, nowMs: this.clock.now(), context };
    let outcome = id ? await this.reports.report({ id, ...report }, reply) : 'notWaiting';
    const order = id && outcome === 'notWaiting' ? await this.orders.find(id) : undefined;
    if (order) {
      // The chain is read outside of the transaction, and the watcher may find the payment meanwhile.
      const isPayment = await this.paysUnseen(order, txHash);
      outcome = await this.reports.reportAlone({ id: order.id, ...report, isPayment }, reply);
    }
    if (outcome === 'notWaiting') throw new DomainError('ORDER_NOT_WAITING');
    if (outcome === 'notOfThisChain')
      throw DomainError.invalid([{ field: 'tx_hash', message: this.hashForms() }]);
    if (outcome === 'claimedByAnother') throw new DomainError('TX_ALREADY_REPORTED');
    this.outbox.wake();
    return reply;
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

  /** Whether the chain shows that a transaction pays an order that waits for another reported one. */
  private async paysUnseen(order: StoredOrder, txHash: string): Promise<boolean> {
    const isUnseen = order.status === 'settling' && order.paidHeight === null && order.payTx !== txHash;
    if (!isUnseen || !order.direct) return false;
    // Without a node nothing is known: the report is rejected, and the watcher finds the payment by itself.
    const state = await this.submitted.stateOf(order, txHash).catch(() => undefined);
    return state === 'paying';
  }

  private hashForms(): string {
    const shapes = new Set(this.adapters.all.map(({ chain }) => txHashShape(chain)));
    return `must be a transaction hash: ${[...shapes].join(', or ')}`;
  }

  private view(order: StoredOrder): OrderReply {
    const chain = order.method === 'Direct' ? order.payChain : order.settleChain;
    return viewOf(order, this.deployments.find(chain)?.confirmations ?? 0);
  }
}
