import { AnyCaller } from '@tollbridge/contracts';
import {
  BusClient,
  BusConnection,
  callContext,
  DomainError,
  keyPrincipal,
  walletPrincipal,
  type BusOperation,
} from '@tollbridge/rpc';
import { deployLocalChain, type LocalChain } from '@tollbridge/local-chain';
import type { RunningService } from '@tollbridge/bootstrap';
import {
  startFakeService,
  recordEvents,
  startAnvil,
  startHttpServer,
  startNats,
  type EventRecorder,
  type FreshDatabase,
  type HttpReply,
  type HttpServer,
  type NatsServer,
  type FakeService,
  testConnections,
} from '@tollbridge/testing';
import { getAddress } from 'ethers';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { v7 as uuid } from 'uuid';
import { start } from '../../start';
import { migratedDatabase } from '../../testing/migrated-database';

export interface Asked {
  id: number;
  method: string;
}

/** The reply of a proxy that has lost the outcome of a call. */
export const lost = ({ id }: Asked): { error: object } & Record<string, unknown> => ({
  jsonrpc: '2.0',
  id,
  error: { code: -32603, message: 'internal error: connection reset' },
});

/** A reply that replaces the node's; undefined lets the node answer. */
type Instead = (asked: Asked) => object | undefined;

/** Enough to test a reorganisation, and reached within a second. */
export const confirmations = 3;
const blockEveryMs = 150;

/**
 * The service app as in production, in this process, with a real EVM node and Circle's own USDC. A proxy between them
 * records every call, and can answer in place of the node.
 */
export class PayoutsHarness {
  readonly apps: RunningService[] = [];
  readonly keyId = uuid();
  /** Another key of the wallet. */
  readonly secondKeyId = uuid();
  /** A fake of the merchant app, for the budgets of keys. */
  budgets: FakeService;
  events: EventRecorder;
  database: FreshDatabase;
  nats: NatsServer;
  chain: LocalChain;
  /** Replaces the whole HTTP reply to the app. */
  reply: HttpReply | undefined;
  instead: Instead = () => undefined;
  /** Whether the app loses the node's answer to a call that the node has served. */
  isLost: (asked: Asked) => boolean = () => false;
  asked: Asked[] = [];
  private wire: HttpServer;
  private client: BusClient;
  private readonly folder = mkdtempSync(join(tmpdir(), 'tollbridge-payouts-'));
  private readonly closers: (() => unknown)[] = [];

  /** @param sends whether payouts are sent on chain; blocks are then mined at intervals */
  static async start({ sends = false } = {}): Promise<PayoutsHarness> {
    process.env['LOG_LEVEL'] ??= 'silent';
    const harness = new PayoutsHarness(sends);
    try {
      await harness.open();
      return harness;
    } catch (error) {
      await harness.close();
      throw error;
    }
  }

  private constructor(private readonly sends: boolean) {}

  private async open(): Promise<void> {
    this.closers.push(() => rmSync(this.folder, { recursive: true, force: true }));
    const opening = [
      this.closeLater(migratedDatabase(), (it) => it.drop()).then((it) => (this.database = it)),
      this.closeLater(startNats(), (it) => it.remove()).then((it) => (this.nats = it)),
      this.closeLater(startAnvil({ chainId: 8453 }), (it) => it.stop()).then(
        async (anvil) => (this.chain = await deployLocalChain(anvil)),
      ),
    ];
    // Waits for all, even when one fails, so that `close` also closes those that opened.
    await Promise.allSettled(opening);
    await Promise.all(opening);
    this.wire = await this.closeLater(
      startHttpServer(({ body }) => this.answer(body)),
      (it) => it.close(),
    );
    if (this.sends) await this.chain.deployPayouts(this.feeRecipient);
    const chains = [this.chain.deployment({ rpcUrls: [this.wire.url], confirmations })];
    writeFileSync(join(this.folder, 'chains.json'), JSON.stringify({ chains }));
    const bus = await this.closeLater(BusConnection.open({ app: 'test-caller', url: this.nats.url }), (it) =>
      it.close(),
    );
    this.client = new BusClient(bus, new AnyCaller());
    this.closers.push(() => this.client.close());
    if (this.sends) await this.openSending();
    await this.startApp();
    if (this.sends) this.events = await recordEvents(this.nats.url, 'SERVICE_API');
    if (this.sends) this.closers.push(() => this.events.stop());
  }

  private async openSending(): Promise<void> {
    const allow = () => ({ output: { status: 'reserved', isUnbounded: false } });
    this.budgets = await this.closeLater(
      startFakeService(this.nats.url, 'op.merchant.budgets.*', allow),
      (it) => it.close(),
    );
    this.startBlocks();
    this.closers.push(() => this.stopBlocks());
  }

  private blocks: NodeJS.Timeout | undefined;

  startBlocks(): void {
    let isMining = false;
    const mine = async (): Promise<void> => {
      // On a busy machine, queued blocks would be mined when a test expects none.
      if (isMining) return;
      isMining = true;
      await this.chain.anvil.mine().catch(() => undefined);
      isMining = false;
    };
    this.blocks ??= setInterval(() => void mine(), blockEveryMs);
  }

  stopBlocks(): void {
    clearInterval(this.blocks);
    this.blocks = undefined;
  }

  /** Receives only the fees of payouts. */
  readonly feeRecipient = getAddress('0x00000000000000000000000000000000000fee01');

  private async closeLater<T>(opening: Promise<T>, close: (opened: T) => unknown): Promise<T> {
    const opened = await opening;
    this.closers.push(() => close(opened));
    return opened;
  }

  private async answer(body: string): Promise<HttpReply> {
    if (this.reply) return this.reply;
    const parsed = JSON.parse(body) as Asked | Asked[];
    const all = [parsed].flat();
    this.asked.push(...all);
    const replies = await Promise.all(
      all.map(async (one) => {
        const instead = this.instead(one);
        if (instead) return { jsonrpc: '2.0', id: one.id, ...instead };
        const reply = await fetch(this.chain.anvil.url, {
          method: 'POST',
          body: JSON.stringify(one),
          headers: { 'content-type': 'application/json' },
        });
        const answer = (await reply.json()) as object;
        return this.isLost(one) ? lost(one) : answer;
      }),
    );
    return { body: Array.isArray(parsed) ? replies : replies[0] };
  }

  async startApp(settings: NodeJS.ProcessEnv = {}): Promise<RunningService> {
    const app = await start({
      TOLLBRIDGE_ENV: 'sandbox',
      SERVICE_API_NATS_URL: this.nats.url,
      SERVICE_API_DATABASE_URL: this.database.runtimeUrl,
      SERVICE_API_DATABASE_CONNECTIONS: testConnections,
      SERVICE_API_MANAGEMENT_PORT_NUMBER: '0',
      CHAINS_FILE: join(this.folder, 'chains.json'),
      ...(this.sends && { PAYOUT_ONCHAIN: 'on', PAYOUT_TIP_MWEI: '1' }),
      ...settings,
    });
    this.apps.push(app);
    return app;
  }

  async stopApps(): Promise<void> {
    await Promise.all(this.apps.splice(0).map((app) => app.close()));
  }

  async close(): Promise<void> {
    await this.stopApps();
    for (const close of this.closers.splice(0).reverse()) await close();
  }

  /** @param as the wallet of the key; the funded wallet by default */
  call<I, O>(
    operation: BusOperation<I, O>,
    input: unknown,
    as = this.wallet,
    idempotencyKey?: string,
  ): Promise<O> {
    return this.callWith(this.keyId, operation, input, as, idempotencyKey);
  }

  callWith<I, O>(
    keyId: string,
    operation: BusOperation<I, O>,
    input: unknown,
    as = this.wallet,
    idempotencyKey?: string,
  ): Promise<O> {
    const context = callContext({ principal: keyPrincipal(keyId, as) });
    return this.client.call(operation, input as I, idempotencyKey ? { ...context, idempotencyKey } : context);
  }

  /** Calls with the session of a wallet. */
  callAsWallet<I, O>(operation: BusOperation<I, O>, input: unknown, as = this.wallet): Promise<O> {
    return this.client.call(operation, input as I, callContext({ principal: walletPrincipal(as) }));
  }

  async failureOf(
    operation: BusOperation<any, any>,
    input: unknown,
    as?: string,
    keyId = this.keyId,
  ): Promise<DomainError> {
    const outcome: unknown = await this.callWith(keyId, operation, input, as).catch(
      (error: unknown) => error,
    );
    if (outcome instanceof DomainError) return outcome;
    throw new Error(`${operation.subject} did not fail but returned ${JSON.stringify(outcome)}`);
  }

  /** The wallet that has coins and tokens. */
  get wallet(): string {
    return this.chain.payer.address;
  }
}
