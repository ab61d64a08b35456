import { JsonRpcProvider, Wallet } from 'ethers';
import type { Page } from 'playwright-core';

type Answer = { result: unknown } | { error: { code: number; message: string } };
type Handler = (params: any) => unknown;

class ProviderError extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

/** A wallet of an EVM chain. It announces itself by EIP-6963, signs in this process and sends to the local node. */
export class EvmWallet {
  chainId = 8453;
  /** The first account is the selected one. */
  accounts: Wallet[];
  /** Methods that the payer declines. */
  readonly declined = new Set<string>();
  /** Chains that are configured in the wallet. */
  readonly chains = new Set([1, 8453]);
  isAtomic = false;
  /** Number of receipt requests that the node answers with null, as a slow node does. */
  receiptsToMiss = 0;
  readonly asked: string[] = [];
  /** Methods that fail with this code. */
  readonly failures = new Map<string, number>();
  /** If true, the next batch is a transaction that reverts. */
  failsNext = false;
  private hasBlocks = true;
  private readonly held = new Map<string, Promise<void>>();
  private readonly provider: JsonRpcProvider;
  private readonly batches: string[][] = [];

  constructor(rpcUrl: string, privateKeys: readonly string[]) {
    this.provider = new JsonRpcProvider(rpcUrl, 8453, {
      staticNetwork: true,
      cacheTimeout: -1,
      pollingInterval: 50,
    });
    this.accounts = privateKeys.map((key) => new Wallet(key, this.provider));
  }

  async install(page: Page, name = 'Fox Wallet'): Promise<void> {
    await page.exposeFunction('evmRequest', (method: string, params: unknown) => this.answer(method, params));
    await page.addInitScript((shown) => {
      const request = async ({ method, params }: { method: string; params?: unknown }) => {
        const reply = await (globalThis as any).evmRequest(method, params);
        if (reply.error) throw Object.assign(new Error(reply.error.message), reply.error);
        return reply.result;
      };
      const icon = 'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/%3E';
      const info = { uuid: '350670db-19fa-4704-a166-e52e178b59d2', rdns: 'example.fox', name: shown, icon };
      const listeners: Record<string, (value: unknown) => void> = {};
      const on = (event: string, listener: (value: unknown) => void) => void (listeners[event] = listener);
      Object.assign(globalThis, {
        emitOfWallet: (event: string, value: unknown) => listeners[event]?.(value),
      });
      const detail = Object.freeze({ info, provider: { request, on } });
      const { dispatchEvent, addEventListener } = globalThis as any;
      const announce = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
      addEventListener('eip6963:requestProvider', announce);
      announce();
    }, name);
  }

  /** The payer selects another account in the wallet. */
  async switchAccount(page: Page): Promise<void> {
    this.accounts = [...this.accounts.slice(1), this.accounts[0]!];
    await page.evaluate(
      (accounts) => (globalThis as any).emitOfWallet('accountsChanged', accounts),
      this.addresses(),
    );
  }

  /**
   * The wallet does not answer this method yet.
   * @returns a function that makes it answer
   */
  hold(method: string): () => void {
    let answer = (): void => undefined;
    this.held.set(method, new Promise((resolve) => (answer = resolve)));
    return () => {
      this.held.delete(method);
      answer();
    };
  }

  /**
   * Transactions remain pending, and the wallet waits for none.
   * @returns a function that mines blocks again
   */
  async stopBlocks(): Promise<() => Promise<void>> {
    await this.provider.send('evm_setAutomine', [false]);
    this.hasBlocks = false;
    return async () => {
      this.hasBlocks = true;
      await this.provider.send('evm_setAutomine', [true]);
      await this.provider.send('evm_mine', []);
    };
  }

  close(): void {
    this.provider.destroy();
  }

  private async answer(method: string, params: unknown): Promise<Answer> {
    this.asked.push(method);
    try {
      if (this.declined.has(method)) throw new ProviderError(4001, 'User rejected the request.');
      await this.held.get(method);
      const failure = this.failures.get(method);
      if (failure !== undefined)
        throw new ProviderError(failure, 'insufficient funds for gas * price + value');
      const handler = this.handlers[method];
      return {
        result: await (handler ? handler(params) : this.provider.send(method, (params as any[]) ?? [])),
      };
    } catch (error) {
      const { code, message } = error as { code?: unknown; message: string };
      return { error: { code: typeof code === 'number' ? code : -32_603, message } };
    }
  }

  private readonly handlers: Readonly<Record<string, Handler>> = {
    eth_accounts: () => this.addresses(),
    eth_requestAccounts: () => this.addresses(),
    eth_chainId: () => `0x${this.chainId.toString(16)}`,
    wallet_switchEthereumChain: ([{ chainId }]) => this.switchTo(Number(chainId)),
    wallet_addEthereumChain: ([{ chainId, rpcUrls }]) => {
      expect(rpcUrls).toHaveLength(1);
      this.chains.add(Number(chainId));
      return this.switchTo(Number(chainId));
    },
    wallet_getCapabilities: () => {
      if (!this.isAtomic) throw new ProviderError(-32_601, 'The method is not supported.');
      return { '0x2105': { atomic: { status: 'supported' } } };
    },
    wallet_sendCalls: async ([{ calls, from }]) => {
      const hashes: string[] = [];
      if (this.failsNext)
        return { id: String(this.batches.push([await this.sendReverting(calls[1], from)]) - 1) };
      for (const call of calls) hashes.push(await this.send({ ...call, from }));
      return { id: String(this.batches.push(hashes) - 1) };
    },
    wallet_getCallsStatus: async ([id]) => {
      const receipts = this.batches[Number(id)]!.map((transactionHash) => ({
        transactionHash,
        status: '0x1',
      }));
      return { status: 200, receipts };
    },
    eth_sendTransaction: ([transaction]) => this.send(transaction),
    eth_getTransactionReceipt: ([hash]) => {
      if (this.receiptsToMiss-- > 0) return null;
      return this.provider.send('eth_getTransactionReceipt', [hash]);
    },
  };

  private addresses(): string[] {
    return this.accounts.slice(0, 1).map(({ address }) => address);
  }

  private switchTo(chainId: number): null {
    if (!this.chains.has(chainId)) throw new ProviderError(4902, 'Unrecognized chain ID.');
    this.chainId = chainId;
    return null;
  }

  /** Without the approval the contract reverts. */
  private async sendReverting({ to, data }: Record<string, string>, from: string): Promise<string> {
    this.failsNext = false;
    const account = this.accounts.find(({ address }) => address === from)!;
    const sent = await account.sendTransaction({ to: to!, data: data!, gasLimit: 300_000 });
    await sent.wait().catch(() => undefined);
    return sent.hash;
  }

  private async send({ from, to, data, value }: Record<string, string>): Promise<string> {
    // A wallet on another network would send the transaction there.
    if (this.chainId !== 8453) throw new ProviderError(4901, 'The wallet is on another network.');
    const account = this.accounts.find(({ address }) => address === from);
    if (!account) throw new ProviderError(4100, 'The account is not authorised.');
    // Without a block, the node cannot estimate the gas of a payment after its approval.
    const limit = this.hasBlocks ? {} : { gasLimit: 500_000 };
    const sent = await account.sendTransaction({ to, data, value: BigInt(value ?? 0), ...limit } as object);
    if (this.hasBlocks) await sent.wait();
    return sent.hash;
  }
}
