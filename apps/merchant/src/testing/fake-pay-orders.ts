import {
  approvalsApi,
  orderHistoryApi,
  ordersApi,
  payerlessOrdersApi,
  quotesApi,
  type ApprovalQuery,
  type CreateOrderReply,
  type CreateOrderRequest,
  type OrderTermsRequest,
  type PastOrderEvent,
  type QuoteReply,
  type QuoteRequest,
  type SubmittedTxState,
} from '@tollbridge/contracts';
import { BusConnection, decodeHead, DomainError, failureHeaders, failureOf } from '@tollbridge/rpc';
import type { CallContext } from '@tollbridge/rpc';
import type { Msg } from 'nats';
import { v7 as uuid } from 'uuid';

/** The terms of a requested order, without a payer for a payerless order. */
export type AskedTerms = OrderTermsRequest & Partial<CreateOrderRequest>;

export interface AskedOrder {
  request: AskedTerms;
  context: CallContext;
  reply: CreateOrderReply;
}

const createSubjects = [
  ordersApi.operations.createOrder.subject,
  payerlessOrdersApi.operations.createPayerlessOrder.subject,
];

/** A fake of pay-orders for the merchant app, with orders and quotes at a price of one to one. */
export class FakePayOrders {
  /** The created orders. A call with a known idempotency key creates none. */
  readonly orders: AskedOrder[] = [];
  readonly quoted: QuoteRequest[] = [];
  /** Past events of orders, which the history returns in one page. */
  readonly history: PastOrderEvent[] = [];
  /** The number of calls that create an order, including repeated ones. */
  orderCalls = 0;
  /** Called after an order is created and before the reply. */
  beforeAnswer: (order: AskedOrder) => void | Promise<void> = () => undefined;
  /** Called before an order is created. */
  beforeOrder: (request: AskedTerms) => void | Promise<void> = () => undefined;
  beforeQuote: (request: QuoteRequest) => void | Promise<void> = () => undefined;
  /** States of submitted transactions on the chain; all others are `unseen`. */
  readonly submitted = new Map<string, SubmittedTxState>();
  /** Chains where the platform has a refund account. */
  refundChains: string[] = [];
  expiresAtMs = (): number => Date.now() + 1_800_000;
  private readonly byKey = new Map<string, AskedOrder>();

  private constructor(private readonly bus: BusConnection) {}

  static async start(natsUrl: string): Promise<FakePayOrders> {
    const bus = await BusConnection.open({ app: 'pay-orders', url: natsUrl });
    const fake = new FakePayOrders(bus);
    bus.nats.subscribe('op.pay-orders.>', {
      callback: (_error, message) => void fake.answer(message),
    });
    await bus.nats.flush();
    return fake;
  }

  private async answer(message: Msg): Promise<void> {
    const input = JSON.parse(message.string()) as never;
    try {
      const reply = createSubjects.includes(message.subject)
        ? await this.createOrder(input, decodeHead(message).context)
        : message.subject === quotesApi.operations.quote.subject
          ? await this.quote(input)
          : message.subject === orderHistoryApi.operations.orderHistory.subject
            ? { events: this.historyAfter(input) }
            : message.subject === payerlessOrdersApi.operations.refundChains.subject
              ? { chains: this.refundChains.map((chain) => ({ chain })) }
              : message.subject === approvalsApi.operations.submittedState.subject
                ? { state: this.submitted.get((input as ApprovalQuery).tx_hash) ?? 'unseen' }
                : undefined;
      message.respond(JSON.stringify(reply));
    } catch (error) {
      if (!(error instanceof DomainError)) return;
      message.respond(JSON.stringify(failureOf(error)), { headers: failureHeaders(error.code) });
    }
  }

  private historyAfter({ afterSeq = 0 }: { afterSeq?: number }): PastOrderEvent[] {
    return this.history.filter(({ seq }) => seq > afterSeq);
  }

  private async createOrder(request: AskedTerms, context: CallContext): Promise<CreateOrderReply> {
    this.orderCalls++;
    const key = context.idempotencyKey ?? uuid();
    let order = this.byKey.get(key);
    if (!order) {
      await this.beforeOrder(request);
      order = { request, context, reply: replyTo(request, this.expiresAtMs()) };
      this.byKey.set(key, order);
      this.orders.push(order);
    }
    await this.beforeAnswer(order);
    return order.reply;
  }

  private async quote(request: QuoteRequest): Promise<QuoteReply> {
    this.quoted.push(request);
    await this.beforeQuote(request);
    const isDirect =
      request.pay_blockchain === request.settle_chain && request.pay_token === request.settle_token;
    return {
      method: isDirect ? 'Direct' : 'CrossChain',
      pay_amount: request.settle_amount,
      pay_amount_formatted: '1',
      pay_amount_usd: '1.00',
      receive_amount: request.settle_amount,
      receive_amount_formatted: '1',
      receive_amount_usd: '1.00',
      estimated_time: isDirect ? 6 : 120,
      exchange_rate: '1',
      slippage_bps: isDirect ? 0 : 50,
      expires_at: new Date(Date.now() + 60_000).toISOString(),
    };
  }

  close(): Promise<void> {
    return this.bus.close();
  }
}

function replyTo(request: AskedTerms, expiresAtMs: number): CreateOrderReply {
  const order_id = uuid();
  const isDirect =
    request.pay_blockchain === request.settle_chain && request.pay_token === request.settle_token;
  return {
    order_id,
    method: isDirect ? 'Direct' : 'CrossChain',
    direct: isDirect
      ? {
          contract_address: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
          chain: request.pay_blockchain,
          payment_order: {
            order_id,
            token_in: request.pay_token,
            token_out: request.settle_token,
            amount_in: request.merchant_amount,
            token_in_address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
            merchant: request.merchant_address,
            merchant_amount: request.merchant_amount,
            fee_receiver: request.fee_receiver,
            fee_amount: request.fee_amount,
            deadline: Math.floor(expiresAtMs / 1000),
          },
        }
      : null,
    cross_chain: isDirect
      ? null
      : {
          deposit_address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
          deposit_memo: null,
          deposit_blockchain: request.pay_blockchain,
          deposit_token: request.pay_token,
          deposit_amount: '1650',
          deposit_amount_formatted: '0.0000165',
          estimated_time: 120,
        },
    expires_at: new Date(expiresAtMs).toISOString(),
  };
}
