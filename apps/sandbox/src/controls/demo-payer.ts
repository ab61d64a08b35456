import { Inject, Injectable } from '@nestjs/common';
import { ServiceConfig } from '@tollbridge/bootstrap';
import type { WalletCall } from '@tollbridge/contracts';
import { FetchRequest, JsonRpcProvider, Wallet } from 'ethers';
import { nodeUrls, type SandboxConfig } from '../config';
import { readDeployment } from '../deployment/local-deployment';

const requestTimeoutMs = 5_000;
const blockTimeoutMs = 5_000;

/** Sends transactions of the funded account with the role `payer`. */
@Injectable()
export class DemoPayer {
  // Sequential, because concurrent transactions would use the same nonce.
  private queue: Promise<unknown> = Promise.resolve();

  constructor(@Inject(ServiceConfig) private readonly config: SandboxConfig) {}

  /** Resolves to the hash of the last transaction, undefined on chains without a node. Rejects when one reverts. */
  send(chain: string, calls: readonly WalletCall[]): Promise<string | undefined> {
    const sending = this.queue.then(() => this.sendNow(chain, calls));
    this.queue = sending.catch(() => undefined);
    return sending;
  }

  private async sendNow(chain: string, calls: readonly WalletCall[]): Promise<string | undefined> {
    const { chains, accounts } = readDeployment(this.config.SANDBOX_WORLD_FILE);
    const found = chains.find(({ caip2 }) => caip2 === chain);
    if (!found) return undefined;
    const request = new FetchRequest(nodeUrls(this.config.SANDBOX_EVM_NODES)(found));
    request.timeout = requestTimeoutMs;
    const options = {
      staticNetwork: true,
      cacheTimeout: -1,
      pollingInterval: 100,
      batchMaxCount: 1,
    } as const;
    const provider = new JsonRpcProvider(request, found.chainId, options);
    try {
      const { privateKey } = accounts.find(({ role }) => role === 'payer')!;
      const payer = new Wallet(privateKey, provider);
      let hash: string | undefined;
      for (const { to, data, value } of calls) {
        const sent = await payer.sendTransaction({ to, data, value: BigInt(value) });
        await sent.wait(1, blockTimeoutMs);
        ({ hash } = sent);
      }
      return hash;
    } finally {
      provider.destroy();
    }
  }
}
