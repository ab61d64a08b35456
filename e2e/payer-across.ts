import { eventually } from '@tollbridge/testing';
import type { Api, Reply } from './http';
import { LocalChain } from './local-chain';

/** The funded account of the sandbox. It pays on the second local chain, and the order settles on the first. */
export class PayerAcross {
  private constructor(
    private readonly api: Api,
    readonly sandbox: any,
    readonly destination: LocalChain,
    readonly origin: LocalChain,
  ) {}

  static async in(api: Api): Promise<PayerAcross> {
    const { body: sandbox } = await api.get('/sandbox');
    const [destination, origin] = sandbox.chains.map((chain: unknown) => new LocalChain(chain));
    return new PayerAcross(api, sandbox, destination, origin);
  }

  account(role: string): { address: string; privateKey: string } {
    return this.sandbox.accounts.find((candidate: { role: string }) => candidate.role === role);
  }

  get address(): string {
    return this.account('payer').address;
  }

  get merchant(): string {
    return this.sandbox.merchant.wallet;
  }

  terms(changes: Record<string, unknown> = {}): Record<string, unknown> {
    return {
      pay_blockchain: this.origin.id,
      pay_token: 'WETH',
      settle_chain: this.destination.id,
      settle_token: 'USDC',
      merchant_address: this.merchant,
      merchant_amount: '25000000',
      fee_receiver: this.account('fee_receiver').address,
      fee_amount: '50000',
      merchant_id: this.sandbox.merchant.merchantId,
      payer_address: this.address,
      ...changes,
    };
  }

  tryToCreate(changes: Record<string, unknown> = {}): Promise<Reply> {
    return this.api.post('/api/v1/pay/create-order', this.terms(changes));
  }

  /** The created order. */
  async create(changes: Record<string, unknown> = {}): Promise<any> {
    const { status, body } = await this.tryToCreate(changes);
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { method: 'CrossChain', direct: null, cross_chain: expect.anything() },
    });
    return body;
  }

  /** A real transfer to the deposit address. Returns its hash. */
  deposit(created: any, amount = BigInt(created.cross_chain.deposit_amount)): Promise<string> {
    const { deposit_token: symbol, deposit_address: to } = created.cross_chain;
    return this.origin.transfer(this.account('payer').privateKey, symbol, to, amount);
  }

  report(orderId: string, txHash: string): Promise<Reply> {
    return this.api.post(`/api/v1/pay/order/${orderId}/tx`, { tx_hash: txHash });
  }

  async order(created: any): Promise<any> {
    const { status, body } = await this.api.get(`/api/v1/pay/order/${created.order_id}`);
    expect(status).toBe(200);
    return body;
  }

  /** Resolves with the order when it has the expected state. */
  async until(created: any, expected: object): Promise<any> {
    return eventually(
      async () => {
        const found = await this.order(created);
        expect(found).toMatchObject(expected);
        return found;
      },
      { everyMs: 100 },
    );
  }

  close(): void {
    this.origin.close();
    this.destination.close();
  }
}
