import { eventually } from '@tollbridge/testing';
import { HDNodeWallet, Wallet, ZeroAddress } from 'ethers';
import type { Api, Reply } from './http';
import { LocalChain } from './local-chain';

export interface Wish {
  from: string;
  to: string;
  amount: bigint;
  /** If true, swaps to the other chain. */
  isAcross?: boolean;
  slippageBps?: number;
}

/** Swaps through the API: accounts of the sandbox fund new wallets, which quote, build, sign and execute. */
export class Swapper {
  private constructor(
    readonly api: Api,
    readonly sandbox: any,
    readonly chain: LocalChain,
    readonly other: LocalChain,
  ) {}

  static async in(api: Api): Promise<Swapper> {
    const { body: sandbox } = await api.get('/sandbox');
    const [chain, other] = sandbox.chains.map((description: any) => new LocalChain(description));
    return new Swapper(api, sandbox, chain, other);
  }

  get chainIds(): [number, number] {
    return this.sandbox.chains.map(({ chainId }: { chainId: number }) => chainId);
  }

  account(role: string): { address: string; privateKey: string } {
    return this.sandbox.accounts.find((account: { role: string }) => account.role === role);
  }

  /** A new wallet with coins for gas and the input tokens. */
  async newUser(tokens: Record<string, bigint> = {}, coins = 10n ** 18n): Promise<HDNodeWallet> {
    const user = Wallet.createRandom();
    const { privateKey } = this.account('second_payer');
    const gifts = [['ETH', coins] as const, ...Object.entries(tokens)];
    for (const [symbol, amount] of gifts)
      if (amount > 0n) await this.chain.transfer(privateKey, symbol, user.address, amount);
    await eventually(async () => {
      for (const [symbol, amount] of gifts)
        expect(await this.chain.balanceOf(symbol, user.address)).toBeGreaterThanOrEqual(amount);
    });
    return user;
  }

  /** A token of the sandbox, in the format of a quote request. */
  token(symbol: string, isOther = false): { address: string; chainId: number } {
    const { chainId, tokens } = this.sandbox.chains[isOther ? 1 : 0];
    const { address } = tokens.find((token: { symbol: string }) => token.symbol === symbol);
    return { address: address ?? ZeroAddress, chainId };
  }

  wish({ from, to, amount, isAcross = false, slippageBps = 50 }: Wish): Record<string, unknown> {
    const [inputToken, outputToken] = [this.token(from), this.token(to, isAcross)];
    return { inputToken, outputToken, inputAmount: String(amount), slippageBps };
  }

  quote(wish: Wish): Promise<Reply> {
    return this.api.post('/v1/quote', this.wish(wish));
  }

  /** The data of a successful reply. */
  async data(reply: Promise<Reply>): Promise<any> {
    const { status, body } = await reply;
    expect({ status, error: body.error }).toEqual({ status: 200 });
    return body.data;
  }

  async build(wish: Wish, user: { address: string }, changes: object = {}): Promise<any> {
    const { quoteId } = await this.data(this.quote(wish));
    const request = { quoteId, userAddress: user.address, ...changes };
    return this.data(this.api.post('/v1/transaction/build', request));
  }

  sign(built: any, user: HDNodeWallet): Promise<string[]> {
    return Promise.all(
      built.transactions.map(({ gas, ...rest }: any) =>
        user.signTransaction({ ...rest, gasLimit: gas, type: 2 }),
      ),
    );
  }

  async execute(built: any, user: HDNodeWallet): Promise<Reply> {
    const signatures = await this.sign(built, user);
    return this.api.post('/v1/transaction/execute', { transactionId: built.transactionId, signatures });
  }

  status(transactionId: string, query = ''): Promise<any> {
    return this.data(this.api.get(`/v1/transaction/${transactionId}/status${query}`));
  }

  /** Resolves with the status when the set has the given status. */
  until(transactionId: string, status: string): Promise<any> {
    return eventually(async () => {
      const found = await this.status(transactionId);
      expect(found).toMatchObject({ status });
      return found;
    });
  }

  close(): void {
    this.chain.close();
    this.other.close();
  }
}
