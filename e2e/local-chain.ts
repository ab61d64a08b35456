import { Contract, JsonRpcProvider, toQuantity, Wallet } from 'ethers';

const tokenAbi = [
  'function balanceOf(address) view returns (uint256)',
  'function transfer(address, uint256) returns (bool)',
];

interface Receipt {
  from: string;
  gasUsed: string;
  effectiveGasPrice: string;
}

/** A local chain, for payers and for checks of their balances. */
export class LocalChain {
  readonly provider: JsonRpcProvider;
  private nonce: Promise<number> | undefined;

  /** @param description one of `chains` of `GET /sandbox` */
  constructor(private readonly description: any) {
    const { rpcUrl, chainId } = description;
    const options = { staticNetwork: true, cacheTimeout: -1, pollingInterval: 50 } as const;
    this.provider = new JsonRpcProvider(rpcUrl, chainId, options);
  }

  get id(): string {
    return this.description.caip2;
  }

  get symbols(): string[] {
    return this.description.tokens.map(({ symbol }: { symbol: string }) => symbol);
  }

  height(): Promise<number> {
    return this.provider.getBlockNumber();
  }

  async balanceOf(
    symbol: string,
    owner: string,
    blockTag: number | 'latest' | 'pending' = 'latest',
  ): Promise<bigint> {
    const address = this.address(symbol);
    if (address === null) return this.provider.getBalance(owner, blockTag);
    const token = new Contract(address, tokenAbi, this.provider);
    return (await token.getFunction('balanceOf').staticCall(owner, { blockTag })) as bigint;
  }

  /** Sends a transfer and returns its hash. Nonces are counted here, so concurrent transfers are possible. */
  async transfer(privateKey: string, symbol: string, to: string, amount: bigint): Promise<string> {
    const wallet = new Wallet(privateKey, this.provider);
    this.nonce ??= this.provider.getTransactionCount(wallet.address);
    const nonce = this.nonce;
    this.nonce = nonce.then((count) => count + 1);
    const overrides = { nonce: await nonce, gasLimit: 100_000 };
    const address = this.address(symbol);
    if (address === null) return (await wallet.sendTransaction({ to, value: amount, ...overrides })).hash;
    const token = new Contract(address, tokenAbi, wallet);
    return (await token.getFunction('transfer').send(to, amount, overrides)).hash;
  }

  /** Gas costs of these senders in coins, in the blocks after `after` up to `upTo`. */
  async gasPaid(senders: ReadonlySet<string>, after: number, upTo: number): Promise<bigint> {
    let sum = 0n;
    for (let height = after + 1; height <= upTo; height++) {
      const receipts = (await this.provider.send('eth_getBlockReceipts', [toQuantity(height)])) as Receipt[];
      for (const { from, gasUsed, effectiveGasPrice } of receipts)
        if (senders.has(from.toLowerCase())) sum += BigInt(gasUsed) * BigInt(effectiveGasPrice);
    }
    return sum;
  }

  close(): void {
    this.provider.destroy();
  }

  /** null for the coin. */
  private address(symbol: string): string | null {
    const found = this.description.tokens.find((token: { symbol: string }) => token.symbol === symbol);
    if (!found) throw new Error(`there is no ${symbol} on ${this.id}`);
    return found.address;
  }
}
