import type { Network, PaymentPayload } from '@x402/core/types';
import { decodePaymentRequiredHeader } from '@x402/core/http';
import { x402Client } from '@x402/core/client';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { Contract, Wallet } from 'ethers';
import { privateKeyToAccount } from 'viem/accounts';
import type { Payer } from './payer';

/** The buyer's record of a sent payment. */
export interface SentPayment {
  payer: string;
  nonce: string;
  /** `unknown`: the buyer received no conclusive response, and has stopped retrying. */
  answer: 'bought' | 'declined' | 'unpaid' | 'unknown';
}

interface KeptPayment {
  sent: SentPayment;
  header: string;
}

const purchase = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ service: 'tg', country: 44 }),
};
export const fundedAtomic = 40_000_000n;

/** A wallet without an account that buys numbers with the official client, one after the other. */
export class SalesBuyer {
  readonly sent: SentPayment[] = [];
  /** Payments that the facilitator settled before the shop received them. */
  settledFirst = 0;
  private kept: KeptPayment[] = [];

  private constructor(
    private readonly gateway: string,
    private readonly client: x402Client,
    readonly address: string,
  ) {}

  static async open(gateway: string, payer: Payer): Promise<SalesBuyer> {
    const wallet = Wallet.createRandom();
    const hash = await payer.transfer('USDC', wallet.address, fundedAtomic);
    await payer.provider.waitForTransaction(hash, 1, 20_000);
    const network = payer.chain.caip2 as Network;
    const scheme = new ExactEvmScheme(privateKeyToAccount(wallet.privateKey as `0x${string}`));
    const client = new x402Client()
      .register(network, scheme)
      .setSpendControls({ allowedAssets: [{ network, asset: payer.token('USDC') }] });
    return new SalesBuyer(gateway, client, wallet.address);
  }

  private get url(): string {
    return `${this.gateway}/sms/number`;
  }

  /**
   * Buys once. After a lost response a patient buyer keeps the payment, and sends it again later.
   * @param settlesFirst the public facilitator settles the payment before the shop receives it
   */
  async buy(isPatient: boolean, settlesFirst = false): Promise<void> {
    const priced = await ask(this.url, purchase);
    const required = priced?.headers.get('payment-required');
    if (!required) return pause(300);
    // While the facilitator is down, the shop offers only nano-payments.
    const payload = await this.client
      .createPaymentPayload(decodePaymentRequiredHeader(required) as never)
      .catch(() => undefined);
    if (!payload) return pause(300);
    const { nonce } = (payload.payload as { authorization: { nonce: string } }).authorization;
    const sent: SentPayment = { payer: this.address.toLowerCase(), nonce, answer: 'unknown' };
    this.sent.push(sent);
    const kept = { sent, header: Buffer.from(JSON.stringify(payload)).toString('base64') };
    if (isPatient) this.kept.push(kept);
    if (settlesFirst) await this.settle(payload);
    await this.ask(kept);
  }

  /** Ignores the response, because a killed facilitator may also have settled the payment. */
  private async settle(payload: PaymentPayload): Promise<void> {
    const body = { x402Version: 2, paymentPayload: payload, paymentRequirements: payload.accepted };
    const reply = await ask(`${this.gateway}/settle`, { ...purchase, body: JSON.stringify(body) });
    const { success } = ((await reply?.json().catch(() => undefined)) ?? {}) as { success?: boolean };
    if (success) this.settledFirst++;
  }

  /**
   * Sends the kept payments again.
   * @returns the number of payments without a response
   */
  async askAgain(): Promise<number> {
    await Promise.all([...this.kept].map((kept) => this.ask(kept)));
    return this.kept.length;
  }

  private async ask(kept: KeptPayment): Promise<void> {
    kept.sent.answer = await this.send(kept.header);
    if (kept.sent.answer !== 'unknown') this.kept = this.kept.filter((other) => other !== kept);
  }

  private async send(header: string): Promise<SentPayment['answer']> {
    const headers = { ...purchase.headers, 'payment-signature': header };
    const reply = await ask(this.url, { ...purchase, headers });
    await reply?.arrayBuffer().catch(() => undefined);
    if (reply?.status === 200) return 'bought';
    if (reply?.status === 402) return 'unpaid';
    return reply && reply.headers.has('payment-response') && reply.status < 500 ? 'declined' : 'unknown';
  }
}

/** The gateway waits longer than this for a killed service. */
const patienceMs = 4_000;

const ask = (url: string, request: RequestInit): Promise<Response | undefined> =>
  fetch(url, { ...request, signal: AbortSignal.timeout(patienceMs) }).catch(() => undefined);

const usdcAbi = [
  'function balanceOf(address) view returns (uint256)',
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
];

/** USDC on the local chain. */
export class UsdcLedger {
  private readonly usdc: Contract;

  constructor({ provider, token }: Pick<Payer, 'provider'> & { token: string }) {
    this.usdc = new Contract(token, usdcAbi, provider);
  }

  balanceOf(address: string): Promise<bigint> {
    return this.usdc.getFunction('balanceOf').staticCall(address) as Promise<bigint>;
  }

  /** `payer nonce` of each used authorization, in the order of the chain. */
  async usedAuthorizations(): Promise<string[]> {
    const events = await this.usdc.queryFilter('AuthorizationUsed', 0);
    return events.map((event) => {
      const [payer, nonce] = (event as unknown as { args: [string, string] }).args;
      return `${payer.toLowerCase()} ${nonce}`;
    });
  }
}

export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));
