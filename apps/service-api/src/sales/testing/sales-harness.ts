import { salesApi, smsApi, type SaleQuote, type SaleReply } from '@tollbridge/contracts';
import { ed25519 } from '@noble/curves/ed25519';
import {
  startFakeService,
  startHttpServer,
  type FakeService,
  type FakeServiceAnswer,
  type FakeServiceCall,
  type HttpServer,
} from '@tollbridge/testing';
import type { LocalChain } from '@tollbridge/local-chain';
import { base58 } from '@scure/base';
import { AbiCoder, id as selectorHash, Wallet } from 'ethers';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SmsHarness } from '../../testing/sms-harness';
import { addressOfKey } from '@tollbridge/onchain/solana';
import { refundTransaction } from '../solana/solana-transfer';
import { FakeMailer } from './fake-mailer';
import { FakeCharges, FakeFacilitator } from './fake-payments';
import { FakeSolana } from './fake-solana';

type Json = Record<string, any>;

export const { rentNumber, awaitCode } = smsApi.operations;
const usdc = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
export const salesKey = `0x${'77'.repeat(32)}`;
export const salesWallet = new Wallet(salesKey).address;
const solanaSeed = Buffer.alloc(32, 0x77);
export const solanaSalesWallet = addressOfKey(solanaSeed);

/** Confirmations on the local chain: a payment is final when its block has a successor. */
export const confirmations = 2;

/** The service API with sales, and fakes of the facilitator, of nano-payments and of a token on a node. */
export class SalesHarness {
  private constructor(
    readonly sms: SmsHarness,
    readonly facilitator: FakeFacilitator,
    readonly charges: FakeCharges,
    readonly mailer: FakeMailer,
    readonly quotes: FakeService,
    readonly settings: NodeJS.ProcessEnv,
    readonly solanaNode: FakeSolana,
    private readonly node: HttpServer,
    private readonly folder: string,
  ) {}

  /** @param chain a local chain with the real token, instead of the fake node */
  static async start(chain?: LocalChain): Promise<SalesHarness> {
    const folder = mkdtempSync(join(tmpdir(), 'tollbridge-sales-'));
    const node = await startHttpServer(({ body }) => ({ body: answerRpc(JSON.parse(body)) }));
    const mailer = await FakeMailer.start();
    const tokens = [{ symbol: 'USDC', address: usdc, decimals: 6 }];
    const solanaNode = await FakeSolana.start();
    const chains = [
      chain ? chain.deployment({ confirmations }) : { chain: 'base', rpcUrls: [node.url], tokens },
      { chain: 'solana', rpcUrls: [solanaNode.url] },
    ];
    writeFileSync(join(folder, 'chains.json'), JSON.stringify({ chains }));
    const settings = {
      SALES: 'on',
      SALES_KEY: salesKey,
      SALES_TOKENS: 'base/USDC,solana/USDC',
      SALES_SOLANA_KEY: base58.encode(Buffer.concat([solanaSeed, ed25519.getPublicKey(solanaSeed)])),
      SALES_PAYER_DAY_USD: '20',
      RESEND_URL: mailer.server.url,
      RESEND_API_KEY: 'key',
      RESEND_DOMAIN: 'tollbridge.test',
      CHAINS_FILE: join(folder, 'chains.json'),
    };
    const sms = await SmsHarness.start(() => settings);
    const facilitator = await FakeFacilitator.start(sms.nats.url);
    const charges = await FakeCharges.start(sms.nats.url);
    const quotes = await startFakeService(sms.nats.url, 'op.tx-engine.sold-quotes.*', answerQuote);
    await sms.startApp(settings);
    return new SalesHarness(sms, facilitator, charges, mailer, quotes, settings, solanaNode, node, folder);
  }

  quote(input?: Json, operation = rentNumber.subject): Promise<SaleQuote> {
    const call = { operation, ...(input && { input }) };
    return this.sms.call(salesApi.operations.quoteSale, call, { principal: 'public' });
  }

  sell(payment: Json, input: Json, operation = rentNumber.subject): Promise<SaleReply> {
    return this.sms.call(salesApi.operations.sell, { operation, input, payment }, { principal: 'public' });
  }

  /** Sells an operation that waits, as the gateway does. */
  sellAwaited(payment: Json, input: Json, signal?: AbortSignal): Promise<SaleReply> {
    const call = { operation: awaitCode.subject, input, payment };
    const context = { principal: 'public', ...(signal && { signal }) };
    return this.sms.call(salesApi.operations.sellAwaited, call, context);
  }

  /** Returns a payment of an EVM wallet for the current price. */
  async exact(
    input: Json,
    changes: Json = {},
    { wallet = Wallet.createRandom().address, operation = rentNumber.subject } = {},
  ): Promise<Json> {
    const { accepts } = await this.quote(input, operation);
    const accepted = { ...(accepts.find(({ scheme }) => scheme === 'exact') as Json), ...changes };
    const authorization = {
      from: wallet,
      to: accepted.payTo,
      value: accepted.amount,
      validAfter: '0',
      validBefore: String(Math.floor(this.sms.clock.now() / 1_000) + 300),
      nonce: `0x${randomBytes(32).toString('hex')}`,
    };
    return { x402Version: 2, accepted, payload: { signature: `0x${'ab'.repeat(65)}`, authorization } };
  }

  /** Returns a payment of a Solana wallet for the current price, or for the given offer. */
  async solana(input: Json, { secretKey = randomBytes(32), offer }: SolanaBuyer = {}): Promise<Json> {
    const { accepts } = await this.quote(input);
    const accepted = offer ?? (accepts.find(({ network }) => String(network).startsWith('solana:')) as Json);
    // A payment has the form of a refund, in the other direction.
    const transaction = refundTransaction({
      feePayer: accepted.extra.feePayer,
      wallet: addressOfKey(secretKey),
      secretKey,
      to: accepted.payTo,
      mint: accepted.asset,
      amountAtomic: BigInt(accepted.amount),
      decimals: 6,
      blockhash: base58.encode(randomBytes(32)),
      memo: 'payment',
    });
    return { x402Version: 2, accepted, payload: { transaction } };
  }

  /** Returns a nano-payment for the current price. */
  async nano(input: Json): Promise<Json> {
    const { accepts } = await this.quote(input);
    const accepted = accepts.find(({ scheme }) => scheme === 'ton-nanopay') as Json;
    const nowS = Math.floor(this.sms.clock.now() / 1_000);
    const authorization = {
      from: `0:${randomBytes(32).toString('hex')}`,
      to: accepted.payTo,
      amount: accepted.amount,
      nonce: randomBytes(32).toString('hex'),
      validAfter: String(nowS - 5),
      validBefore: String(nowS + 300),
    };
    const payload = { authorization, signature: Buffer.alloc(64, 1).toString('base64') };
    return { x402Version: 2, accepted, payload, resource: { url: 'https://api.example.com/sms/number' } };
  }

  async states(): Promise<string[]> {
    const rows = await this.sms.database.query<{ state: string }>(
      'SELECT state FROM sales ORDER BY created_at, id',
    );
    return rows.map(({ state }) => state);
  }

  async reset(): Promise<void> {
    const { database, simulators } = this.sms;
    await database.query('DELETE FROM sales');
    await database.query('DELETE FROM unclaimed_payments');
    await database.query('DELETE FROM purchases');
    await database.query('DELETE FROM idempotency_keys');
    simulators.smsActivate.outage.mode = 'up';
    simulators.smsActivate.asked.length = 0;
    simulators.smsActivate.hasList = true;
    simulators.smsActivate.numbers.codeAfterMs = 300;
    this.facilitator.settled.clear();
    this.facilitator.mode = () => 'settle';
    this.facilitator.asked = 0;
    this.facilitator.beforeAnswer = async () => undefined;
    Object.assign(this.solanaNode, { isDown: false, hasAccounts: true });
    this.charges.charged.clear();
    this.charges.mode = 'settle';
    this.mailer.reset();
    this.quotes.answer = answerQuote;
    this.quotes.calls.length = 0;
  }

  async close(): Promise<void> {
    await this.facilitator.service.close();
    await this.charges.service.close();
    await this.sms.close();
    await this.quotes.close();
    await this.mailer.server.close();
    await this.node.close();
    await this.solanaNode.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

interface SolanaBuyer {
  secretKey?: Uint8Array;
  offer?: Json;
}
/** Fakes the quotes of tx-engine. */
const answerQuote = ({ subject, input }: FakeServiceCall): FakeServiceAnswer => ({
  output: subject.endsWith('check-quote') ? { isValid: true } : { quoteId: 'quote-1', payer: input['payer'] },
});

const selector = (signature: string): string => selectorHash(signature).slice(0, 10);
const text = (value: string): string => AbiCoder.defaultAbiCoder().encode(['string'], [value]);

/** Fakes a node that returns the name and version of a token. */
function answerRpc(asked: Json | Json[]): unknown {
  if (Array.isArray(asked)) return asked.map(answerRpc);
  const { id, method, params } = asked;
  if (method === 'eth_chainId') return { jsonrpc: '2.0', id, result: '0x2105' };
  const data = String(params?.[0]?.data);
  const isName = data.startsWith(selector('name()'));
  return { jsonrpc: '2.0', id, result: text(isName ? 'USD Coin' : '2') };
}
