import {
  paylinksApi,
  receiversApi,
  settingsApi,
  type CreatePayLinkRequest,
  type PayLink,
  type PayLinkPayment,
  type RecordPaymentReply,
} from '@tollbridge/contracts';
import { walletPrincipal } from '@tollbridge/rpc';
import { deployLocalChain, type LocalChain } from '@tollbridge/local-chain';
import type { RunningService } from '@tollbridge/bootstrap';
import { eventually, startAnvil, type Anvil } from '@tollbridge/testing';
import { Wallet, type BaseWallet } from 'ethers';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PayLinkListeners, type CountedPayment, type PayLinkListener } from '../paylinks/paylink-listener';
import { Merchant } from './merchant';

const { createReceiverChallenge, verifyReceiver } = receiversApi.operations;
const {
  createPayLink,
  recordPayLinkPayment,
  listPayLinks,
  listPayLinkPayments,
  togglePayLink,
  deletePayLink,
} = paylinksApi.operations;

export const confirmations = 3;
export const receiver = '0x1111111111111111111111111111111111111111';
export const merchantWallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
/** A chain of the registry that has no node here. */
export const blindChain = 'eip155:10';

/** The machine's clock, moved on by the test. */
export class MovedClock {
  private movedMs = 0;
  now(): number {
    return Date.now() + this.movedMs;
  }
  move(milliseconds: number): void {
    this.movedMs += milliseconds;
  }
}

/** What a listener heard, in order. */
export type Heard = ['paid' | 'takenBack', CountedPayment];

/** The merchant app with an EVM node that has the genuine tokens. */
export class PayLinkHarness {
  readonly heard: Heard[] = [];
  private readonly folder = mkdtempSync(join(tmpdir(), 'tollbridge-merchant-'));

  private constructor(
    readonly anvil: Anvil,
    readonly chain: LocalChain,
    readonly clock: MovedClock,
  ) {}

  merchant: Merchant;

  static async start(
    options: { rpcUrl?: (anvil: Anvil) => Promise<string>; settings?: NodeJS.ProcessEnv } = {},
  ): Promise<PayLinkHarness> {
    const anvil = await startAnvil({ chainId: 8453 });
    const chain = await deployLocalChain(anvil);
    const harness = new PayLinkHarness(anvil, chain, new MovedClock());
    const { rpcUrl, settings } = options;
    const changes = { confirmations, ...(rpcUrl && { rpcUrls: [await rpcUrl(anvil)] }) };
    writeFileSync(harness.chainsFile, JSON.stringify({ chains: [chain.deployment(changes)] }));
    harness.merchant = await Merchant.start({
      clock: harness.clock,
      settings: { ...harness.settings, ...settings },
    });
    harness.hear(harness.merchant.apps[0]!);
    return harness;
  }

  private get chainsFile(): string {
    return join(this.folder, 'chains.json');
  }

  get settings(): NodeJS.ProcessEnv {
    return { CHAINS_FILE: this.chainsFile };
  }

  /** A second replica. */
  async startApp(): Promise<void> {
    this.hear(await this.merchant.startApp(this.settings));
  }

  private hear(app: RunningService): void {
    const listeners = app.context.get<PayLinkListener[]>(PayLinkListeners, { strict: false });
    listeners.push({
      onPayment: async (payment, isCounted) =>
        void this.heard.push([isCounted ? 'paid' : 'takenBack', payment]),
    });
  }

  async close(): Promise<void> {
    await this.merchant?.close();
    await this.anvil.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** A valid request for 3.5 USDC. */
  request(changes: Partial<CreatePayLinkRequest> = {}): CreatePayLinkRequest {
    return {
      name: 'Espresso',
      amount: '3500000',
      token: 'USDC',
      network: this.chain.id,
      description: 'A double one',
      receiveAddress: receiver,
      ...changes,
    };
  }

  create(changes: Partial<CreatePayLinkRequest> = {}, wallet = merchantWallet): Promise<PayLink> {
    return this.merchant.call(createPayLink, this.request(changes), walletPrincipal(wallet));
  }

  /** Proves an address for a wallet, by its key. */
  async prove(wallet: string, key: BaseWallet): Promise<void> {
    const [principal, { address }] = [walletPrincipal(wallet), key];
    const { nonce, message } = await this.merchant.call(createReceiverChallenge, { address }, principal);
    const signature = await key.signMessage(message!);
    const request = { address, nonce, message: message!, signature };
    await this.merchant.call(verifyReceiver, request, principal);
  }

  pay(id: string, txHash: string): Promise<RecordPaymentReply> {
    return this.merchant.call(recordPayLinkPayment, { id, txHash });
  }

  toggle(id: string, active: boolean, wallet = merchantWallet): Promise<PayLink> {
    return this.merchant.call(togglePayLink, { id, active }, walletPrincipal(wallet));
  }

  remove(id: string, wallet = merchantWallet): Promise<unknown> {
    return this.merchant.call(deletePayLink, { id }, walletPrincipal(wallet));
  }

  payments(id: string, wallet = merchantWallet): Promise<PayLinkPayment[]> {
    return this.merchant.call(listPayLinkPayments, { id }, walletPrincipal(wallet));
  }

  async link(id: string, wallet = merchantWallet): Promise<PayLink> {
    const links = await this.merchant.call(listPayLinks, {}, walletPrincipal(wallet));
    return links.find((link) => link.id === id)!;
  }

  /** A transfer of USDC to the receiver; mined, and as deep as it must be. */
  async paid(
    amount = 3_500_000n,
    options: { to?: string; token?: string; depth?: number } = {},
  ): Promise<string> {
    const { to = receiver, token = this.chain.usdc.address, depth = confirmations } = options;
    const hash = await this.chain.transfer(to, amount, token);
    if (depth > 1) await this.anvil.mine(depth - 1);
    return hash;
  }

  /**
   * To be called before a payment that a reorganisation will drop: what the node mines instead goes on from the time of
   * the newest block that stays, which would be before the link was made.
   */
  async foundation(): Promise<void> {
    await this.anvil.mine(2);
  }

  /** Lets time pass for the app and on the chain. */
  async pass(seconds: number): Promise<void> {
    this.clock.move(seconds * 1_000);
    await this.anvil.mineAt(Math.floor(this.clock.now() / 1_000));
  }

  /** Resolves when a payment stands as expected. */
  paymentWith(id: string, txHash: string, expected: Partial<PayLinkPayment>): Promise<PayLinkPayment> {
    return eventually(async () => {
      const payment = (await this.payments(id)).find((it) => it.tx_hash === txHash)!;
      expect(payment).toMatchObject(expected);
      return payment;
    });
  }

  /** What listeners heard of a link's payments. */
  heardOf(linkId: string): string[] {
    return this.heard.filter(([, payment]) => payment.linkId === linkId).map(([what]) => what);
  }

  /** What the outbox tells of a payment. */
  async eventsOf(paymentId: string): Promise<string[]> {
    const rows = await this.merchant.database.query<{ type: string }>(
      `SELECT payload->>'type' AS type FROM outbox WHERE aggregate_id = $1 ORDER BY seq`,
      [paymentId],
    );
    return rows.map(({ type }) => type);
  }

  /** Gives a wallet somewhere to be told, so that what it would be told is stored. Nobody answers there. */
  async listenTo(wallet: string): Promise<void> {
    const settings = { webhookUrl: 'http://127.0.0.1:9/' };
    await this.merchant.call(settingsApi.operations.putSettings, { settings }, walletPrincipal(wallet));
  }

  async messagesTo(wallet: string): Promise<{ type: string; data: Record<string, unknown> }[]> {
    const rows = await this.merchant.database.query<{ payload: string }>(
      'SELECT payload FROM webhook_messages WHERE wallet = $1 ORDER BY id',
      [wallet],
    );
    return rows.map(({ payload }) => JSON.parse(payload) as { type: string; data: Record<string, unknown> });
  }
}

export const someWallet = (): string => Wallet.createRandom().address;
