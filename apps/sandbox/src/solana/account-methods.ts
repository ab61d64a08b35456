import { splTokenProgram, token2022Program } from '@tollbridge/onchain/solana';
import { accountJson, tokenAmountJson } from './accounts.wire';
import { addressParam, commitmentIn, configParam, countParam, listParam, type Config } from './rpc-params';
import { readContext, withContext, type RpcMethods } from './rpc-context';
import type { SolanaChain } from './solana-chain';
import { invalidParams } from './solana-rejection';
import type { AccountState } from './solana.repository';
import { readMint, readTokenAccount, type Mint } from './token-account';

const mostAccounts = 100;

/** Methods of a node that read accounts: https://solana.com/docs/rpc/http */
export class AccountMethods {
  constructor(private readonly chain: SolanaChain) {}

  readonly methods: RpcMethods = {
    getBalance: async ([address, config]) => {
      const { lamports = 0n } = (await this.chain.account(addressParam(address))) ?? {};
      return this.reply(config, lamports);
    },
    getAccountInfo: async ([address, config]) => {
      const [account] = await this.accounts([addressParam(address)], configParam(config));
      return this.reply(config, account ?? null);
    },
    getMultipleAccounts: async ([addresses, config]) => {
      const wanted = listParam(addresses, mostAccounts).map(addressParam);
      return this.reply(config, await this.accounts(wanted, configParam(config)));
    },
    getTokenAccountsByOwner: async ([owner, filter, config]) =>
      this.reply(
        config,
        await this.tokenAccounts(addressParam(owner), configParam(filter), configParam(config)),
      ),
    getTokenAccountBalance: async ([address, config]) => {
      const account = await this.chain.account(addressParam(address));
      const token = account && readTokenAccount(account);
      const mint = token && (await this.mints([token.mint]))(token.mint);
      if (!token || !mint) throw invalidParams('Invalid param: could not find account');
      return this.reply(config, tokenAmountJson(token.amount, mint.decimals));
    },
    getTokenSupply: async ([address, config]) => {
      const account = await this.chain.account(addressParam(address));
      const mint = account && readMint(account);
      if (!mint) throw invalidParams('Invalid param: could not find mint');
      return this.reply(config, tokenAmountJson(mint.supply, mint.decimals));
    },
    getMinimumBalanceForRentExemption: async ([bytes]) => this.chain.rent(countParam(bytes)),
  };

  private async reply(config: unknown, value: unknown): Promise<object> {
    const options = configParam(config);
    return withContext(await readContext(this.chain, commitmentIn(options), options), value);
  }

  private async accounts(addresses: readonly string[], config: Config): Promise<(object | null)[]> {
    const found = await Promise.all(addresses.map((it) => this.chain.account(it)));
    const findMint = await this.mints(found.flatMap((it) => (it && readTokenAccount(it)?.mint) ?? []));
    return found.map((it) => (it ? accountJson(it, config, findMint) : null));
  }

  private async tokenAccounts(owner: string, { mint, programId }: Config, config: Config): Promise<object[]> {
    if ((mint === undefined) === (programId === undefined))
      throw invalidParams('Invalid param: give a mint or a programId');
    if (mint !== undefined && !(await this.mints([addressParam(mint)]))(addressParam(mint)))
      throw invalidParams('Invalid param: could not find mint');
    if (programId !== undefined && programId !== splTokenProgram && programId !== token2022Program)
      throw invalidParams('Invalid param: unrecognized Token program id');
    const isWanted = (account: AccountState): boolean => {
      const token = readTokenAccount(account);
      if (token?.owner !== owner) return false;
      return mint === undefined ? token.programId === programId : token.mint === mint;
    };
    const found = [...(await this.chain.accounts())].filter(([, account]) => isWanted(account));
    const findMint = await this.mints(found.map(([, account]) => readTokenAccount(account)!.mint));
    return found.map(([pubkey, account]) => ({ pubkey, account: accountJson(account, config, findMint) }));
  }

  private async mints(addresses: readonly string[]): Promise<(address: string) => Mint | undefined> {
    const accounts = await this.chain.accounts();
    const found = new Map(addresses.map((it) => [it, accounts.get(it)]));
    return (address) => {
      const account = found.get(address);
      return account && readMint(account);
    };
  }
}
