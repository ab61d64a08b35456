import { webhookTypes, type WebhookData, type WebhookType } from '@tollbridge/contracts';
import { walletPrincipal, type BusOperation } from '@tollbridge/rpc';
import { Database, transaction } from '@tollbridge/database';
import {
  ManualClock,
  startHttpServer,
  type HttpReply,
  type HttpServer,
  type SeenRequest,
} from '@tollbridge/testing';
import { getAddress, hexlify, randomBytes } from 'ethers';
import { Webhook } from 'standardwebhooks';
import { WebhookEndpointsRepository } from '../webhooks/webhook-endpoints.repository';
import { notifyMerchant } from '../webhooks/webhook-outbox';
import { Merchant } from './merchant';

interface MessageRow {
  id: string;
  type: WebhookType;
  status: string;
  attempts: number;
  log: { atMs: number; tookMs: number; status: number | null; error: string | null }[];
  next_attempt_at: Date | null;
  created_at: Date;
}

/** A shop: a wallet, its webhook endpoint, and the requests that the endpoint has received. */
export class Shop {
  constructor(
    private readonly harness: WebhookHarness,
    readonly wallet: string,
    readonly receiver: HttpServer,
  ) {}

  get arrived(): SeenRequest[] {
    return this.receiver.requests;
  }

  get ids(): unknown[] {
    return this.arrived.map(({ headers }) => headers['webhook-id']);
  }

  answer(reply: HttpReply): void {
    this.receiver.answer = () => reply;
  }

  /** Sets the endpoint like a change of the settings. */
  sync(url: string | null = `${this.receiver.url}/hook`): Promise<void> {
    return this.harness.sync(this.wallet, url);
  }

  notify<T extends WebhookType>(type: T, data = this.sample(type)): Promise<void> {
    return this.harness.notify(this.wallet, type, data);
  }

  sample<T extends WebhookType>(type: T): WebhookData<T> {
    const { example } = webhookTypes[type];
    return { message: 'é', ...example } as unknown as WebhookData<T>;
  }

  messages(): Promise<MessageRow[]> {
    return this.harness.merchant.database.query<MessageRow>(
      'SELECT * FROM webhook_messages WHERE wallet = $1 ORDER BY id',
      [this.wallet],
    );
  }

  async message(): Promise<MessageRow> {
    return (await this.messages()).at(-1)!;
  }

  call<I, O>(operation: BusOperation<I, O>, input: I): Promise<O> {
    return this.harness.merchant.call(operation, input, walletPrincipal(this.wallet));
  }
}

export class WebhookHarness {
  private readonly receivers: HttpServer[] = [];

  private constructor(
    readonly merchant: Merchant,
    readonly clock: ManualClock,
  ) {}

  static async start(settings: NodeJS.ProcessEnv = {}): Promise<WebhookHarness> {
    const clock = new ManualClock();
    return new WebhookHarness(await Merchant.start({ clock, settings }), clock);
  }

  async shop(
    answer: HttpReply | ((request: SeenRequest) => HttpReply | Promise<HttpReply>) = {},
  ): Promise<Shop> {
    const receiver = await startHttpServer(typeof answer === 'function' ? answer : () => answer);
    this.receivers.push(receiver);
    const shop = new Shop(this, getAddress(hexlify(randomBytes(20))), receiver);
    await shop.sync();
    return shop;
  }

  sync(wallet: string, url: string | null): Promise<void> {
    const { context } = this.merchant.apps[0]!;
    const endpoints = context.get(WebhookEndpointsRepository, { strict: false });
    return transaction(this.pool, (client) => endpoints.syncEndpoint(client, wallet, url));
  }

  notify<T extends WebhookType>(wallet: string, type: T, data: WebhookData<T>): Promise<void> {
    const nowMs = this.clock.now();
    return transaction(this.pool, (client) => notifyMerchant(client, { wallet, type, data, nowMs }));
  }

  get pool() {
    return this.merchant.apps[0]!.context.get(Database, { strict: false }).pool;
  }

  async close(): Promise<void> {
    this.receivers.forEach((receiver) => (receiver.answer = () => ({})));
    await Promise.all(this.receivers.map((receiver) => receiver.close()));
    await this.merchant.close();
  }
}

/**
 * The number of valid signatures of a request for a secret. The library cannot be used, because it rejects the times of
 * the test's clock.
 */
export function signaturesOf({ headers, body }: SeenRequest, secret: string): number {
  const id = String(headers['webhook-id']);
  const at = new Date(Number(headers['webhook-timestamp']) * 1000);
  const wanted = new Webhook(secret).sign(id, at, body);
  return String(headers['webhook-signature'])
    .split(' ')
    .filter((each) => each === wanted).length;
}
