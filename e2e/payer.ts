import { mined, orderIdToBytes16 } from '@tollbridge/onchain';
import { Contract, JsonRpcProvider, MaxUint256, Wallet } from 'ethers';
import type { Api, Reply } from './http';

/** The funded account of the sandbox. It creates orders and pays them on the chain. */
export class Payer {
  private nonce = 0;

  private constructor(
    private readonly api: Api,
    readonly sandbox: any,
    readonly chain: any,
    readonly provider: JsonRpcProvider,
    private readonly wallet: Wallet,
    private readonly contract: Contract,
  ) {}

  static async in(api: Api): Promise<Payer> {
    const { body: sandbox } = await api.get('/sandbox');
    const [chain] = sandbox.chains;
    const provider = new JsonRpcProvider(chain.rpcUrl, chain.chainId, {
      staticNetwork: true,
      cacheTimeout: -1,
      pollingInterval: 50,
    });
    const wallet = new Wallet(account(sandbox, 'payer').privateKey, provider);
    const payer = new Payer(
      api,
      sandbox,
      chain,
      provider,
      wallet,
      new Contract(chain.payContract, chain.payAbi, wallet),
    );
    const usdc = new Contract(payer.token('USDC'), ['function approve(address, uint256)'], wallet);
    await mined(await usdc.getFunction('approve')(chain.payContract, MaxUint256));
    await payer.readNonce();
    return payer;
  }

  /** Call this after another program has paid from the same account. */
  async readNonce(): Promise<void> {
    this.nonce = await this.provider.getTransactionCount(this.wallet.address);
  }

  get address(): string {
    return this.wallet.address;
  }

  token(symbol: string): string {
    return this.chain.tokens.find((token: { symbol: string }) => token.symbol === symbol).address;
  }

  terms(changes: Record<string, unknown> = {}): Record<string, unknown> {
    const { caip2 } = this.chain;
    return {
      pay_blockchain: caip2,
      pay_token: 'USDC',
      settle_chain: caip2,
      settle_token: 'USDC',
      merchant_address: this.sandbox.merchant.wallet,
      merchant_amount: '1000000',
      fee_receiver: account(this.sandbox, 'fee_receiver').address,
      fee_amount: '5000',
      merchant_id: this.sandbox.merchant.merchantId,
      payer_address: this.address,
      ...changes,
    };
  }

  /** @param headers instead of the demo key */
  createOrder(changes: Record<string, unknown> = {}, headers?: Record<string, string>): Promise<Reply> {
    return this.api.send('POST', '/api/v1/pay/create-order', JSON.stringify(this.terms(changes)), headers);
  }

  /** Sends the payment and returns its hash. Nonces are counted here, so concurrent payments are possible. */
  async pay(created: any): Promise<string> {
    const order = { ...created.direct.payment_order, order_id: orderIdToBytes16(created.order_id) };
    const sent = await this.contract
      .getFunction('pay')
      .send(order, { nonce: this.nonce++, gasLimit: 300_000 });
    return sent.hash;
  }

  /** Sends tokens and returns the hash. */
  async transfer(symbol: string, to: string, amount: bigint): Promise<string> {
    const abi = ['function transfer(address, uint256)'];
    const token = new Contract(this.token(symbol), abi, this.wallet);
    const sent = await token
      .getFunction('transfer')
      .send(to, amount, { nonce: this.nonce++, gasLimit: 100_000 });
    return sent.hash;
  }

  report(orderId: string, txHash: string): Promise<Reply> {
    return this.api.post(`/api/v1/pay/order/${orderId}/tx`, { tx_hash: txHash });
  }

  close(): void {
    this.provider.destroy();
  }
}

function account(sandbox: any, role: string): { address: string; privateKey: string } {
  return sandbox.accounts.find((candidate: { role: string }) => candidate.role === role);
}
