import {
  paylinkPaymentsApi,
  paylinksApi,
  receiversApi,
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
const { createPayLink, listPayLinks, togglePayLink, deletePayLink } = paylinksApi.operations;
const { recordPayLinkPayment, listPayLinkPayments } = paylinkPaymentsApi.operations;

export const confirmations = 3;
export const receiver = '0x1111111111111111111111111111111111111111';
export const merchantWallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
/** A chain of the registry that has no node in the tests. */
export const blindChain = 'eip155:10';

/** The machine's clock plus the time that the test has added. */
export class AdvancedClock {
  private movedMs = 0;
  now(): number {
    return Date.now() + this.movedMs;
  }
  move(milliseconds: number): void {
    this.movedMs += milliseconds;
  }
}

/** A recorded call of a PayLink listener. */
export type ListenerCall = ['paid' | 'reverted', CountedPayment];

/** The merchant app with an EVM node that has the deployed bytecode of the real tokens. */
export class PayLinkHarness {
  readonly calls: ListenerCall[] = [];
  private readonly folder = mkdtempSync(join(tmpdir(), 'tollbridge-merchant-'));

  private constructor(
    readonly anvil: Anvil,
    readonly chain: LocalChain,
    readonly clock: AdvancedClock,
    /** Another network, where a wallet may pay by mistake. */
    readonly elsewhere: LocalChain | undefined,
  ) {}

  merchant: Merchant;

  static async start(
    options: {
      rpcUrl?: (anvil: Anvil) => Promise<string>;
      settings?: NodeJS.ProcessEnv;
      hasElsewhere?: boolean;
    } = {},
  ): Promise<PayLinkHarness> {
    const anvil = await startAnvil({ chainId: 8453 });
    const chain = await deployLocalChain(anvil);
    const { rpcUrl, settings, hasElsewhere = false } = options;
    const elsewhere = hasElsewhere ? await deployLocalChain(await startAnvil({ chainId: 42161 })) : undefined;
    const harness = new PayLinkHarness(anvil, chain, new AdvancedClock(), elsewhere);
    const changes = { confirmations, ...(rpcUrl && { rpcUrls: [await rpcUrl(anvil)] }) };
    const others = elsewhere ? [elsewhere.deployment({ confirmations })] : [];
    const chains = [chain.deployment(changes), ...others];
    writeFileSync(harness.chainsFile, JSON.stringify({ chains }));
    harness.merchant = await Merchant.start({
      clock: harness.clock,
      settings: { ...harness.settings, ...settings },
    });
    harness.recordCalls(harness.merchant.apps[0]!);
    return harness;
  }

  private get chainsFile(): string {
    return join(this.folder, 'chains.json');
  }

  get settings(): NodeJS.ProcessEnv {
    return { CHAINS_FILE: this.chainsFile };
  }

  /** Starts another replica. */
  async startApp(): Promise<void> {
    this.recordCalls(await this.merchant.startApp(this.settings));
  }

  private recordCalls(app: RunningService): void {
    const listeners = app.context.get<PayLinkListener[]>(PayLinkListeners, { strict: false });
    listeners.push({
      onPayment: async (payment, isCounted) =>
        void this.calls.push([isCounted ? 'paid' : 'reverted', payment]),
    });
  }

  async close(): Promise<void> {
    await this.merchant?.close();
    await this.anvil.stop();
    await this.elsewhere?.anvil.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** A valid request for a link of 3.5 USDC. */
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

  /** Proves an address for a wallet with the key of the address. */
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

  /** Sends USDC to the receiver, and mines the transfer and the blocks above it. */
  async paid(
    amount = 3_500_000n,
    options: { to?: string; token?: string; depth?: number } = {},
  ): Promise<string> {
    const { to = receiver, token = this.chain.usdc.address, depth = confirmations } = options;
    const hash = await this.chain.transfer(to, amount, token);
    if (depth > 1) await this.anvil.mine(depth - 1);
    return hash;
  }

  /** Sends 3,500,000 units on the other network, in a block with the time of the app. */
  async paidElsewhere(to: string, token?: string): Promise<string> {
    await this.elsewhere!.anvil.mineAt(Math.ceil(this.clock.now() / 1_000));
    return this.elsewhere!.transfer(to, 3_500_000n, token);
  }

  /**
   * Must be called before a payment that a reorganisation will drop. Replacement blocks continue from the time of the
   * newest remaining block. That time must not be before the link's creation.
   */
  async foundation(): Promise<void> {
    await this.anvil.mine(2);
  }

  /** Advances the clock of the app and of the chain. */
  async pass(seconds: number): Promise<void> {
    this.clock.move(seconds * 1_000);
    await this.anvil.advance(seconds);
  }

  /** Resolves when the payment matches. */
  paymentWith(
    id: string,
    txHash: string,
    expected: Partial<PayLinkPayment>,
    wallet = merchantWallet,
  ): Promise<PayLinkPayment> {
    return eventually(async () => {
      const payment = (await this.payments(id, wallet)).find((it) => it.tx_hash === txHash)!;
      expect(payment).toMatchObject(expected);
      return payment;
    });
  }

  /** The listener calls for a link's payments. */
  callsFor(linkId: string): string[] {
    return this.calls.filter(([, payment]) => payment.linkId === linkId).map(([what]) => what);
  }

  /** The types of a payment's events in the outbox. */
  async eventsOf(paymentId: string): Promise<string[]> {
    const rows = await this.merchant.database.query<{ type: string }>(
      `SELECT payload->>'type' AS type FROM outbox WHERE aggregate_id = $1 ORDER BY seq`,
      [paymentId],
    );
    return rows.map(({ type }) => type);
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
