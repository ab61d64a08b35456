import { Contract, JsonRpcProvider, parseEther, Wallet, type Signer } from 'ethers';

const erc20 = [
  'function approve(address, uint256)',
  'function transfer(address, uint256)',
  'function transferFrom(address, address, uint256)',
  'function balanceOf(address) view returns (uint256)',
];

/** A local EVM chain, accessed with ethers as customers do. */
export class Chain {
  readonly id: number;
  readonly caip2: string;
  readonly provider: JsonRpcProvider;

  constructor(
    private readonly description: any,
    private readonly accounts: any[],
  ) {
    this.id = description.chainId;
    this.caip2 = description.caip2;
    const options = { cacheTimeout: -1, pollingInterval: 100, staticNetwork: true };
    this.provider = new JsonRpcProvider(description.rpcUrl, this.id, options);
  }

  close(): void {
    this.provider.destroy();
  }

  signer(role = 'payer'): Wallet {
    return new Wallet(this.accounts.find((it) => it.role === role).privateKey, this.provider);
  }

  token(symbol: string): { address: string; symbol: string; decimals: number; chainId: number } {
    const { address, decimals } = this.description.tokens.find((it: any) => it.symbol === symbol);
    return { address, decimals, symbol, chainId: this.id };
  }

  async balance(symbol: string, owner: string): Promise<bigint> {
    return (await this.contract(this.token(symbol).address).getFunction('balanceOf')(owner)) as bigint;
  }

  /** Resolves with the hash when the transfer is mined. */
  async transfer(symbol: string, to: string, amount: string, role = 'payer'): Promise<string> {
    const { address } = this.token(symbol);
    const sent = address
      ? await this.contract(address, role).getFunction('transfer')(to, amount)
      : await this.signer(role).sendTransaction({ to, value: amount });
    await sent.wait();
    return sent.hash;
  }

  async giveCoins(to: string): Promise<void> {
    await (await this.signer().sendTransaction({ to, value: parseEther('1') })).wait();
  }

  async approve(symbol: string, owner: Signer, spender: string, amount: string): Promise<void> {
    const token = new Contract(this.token(symbol).address, erc20, owner);
    await (await token.getFunction('approve')(spender, amount)).wait();
  }

  async transferFrom(symbol: string, owner: string, to: string, amount: string, role: string): Promise<void> {
    const token = this.contract(this.token(symbol).address, role);
    await (await token.getFunction('transferFrom')(owner, to, amount)).wait();
  }

  /** Calls `pay` with the order of the API. Returns the hash. */
  async pay(direct: any): Promise<string> {
    const { contract_address: to, payment_order: order } = direct;
    const token = this.contract(order.token_in_address, 'payer');
    await (await token.getFunction('approve')(to, order.amount_in)).wait();
    const contract = new Contract(to, this.description.payAbi, this.signer());
    const id = `0x${order.order_id.replaceAll('-', '')}`;
    return (await contract.getFunction('pay')({ ...order, order_id: id })).hash;
  }

  /** Pays an order in the coin of the chain: the amount is the value of the call. */
  async payInCoin({ contract_address: to, payment_order: order }: any): Promise<string> {
    const contract = new Contract(to, this.description.payAbi, this.signer());
    const id = `0x${order.order_id.replaceAll('-', '')}`;
    return (await contract.getFunction('pay')({ ...order, order_id: id }, { value: order.amount_in })).hash;
  }

  private contract(address: string, role?: string): Contract {
    return new Contract(address, erc20, role ? this.signer(role) : this.provider);
  }
}
