import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { base58 } from '@scure/base';
import type { LocalCluster } from './local-cluster';
import { native } from './litesvm';

/** A simulator of a Solana node with the methods that the deployment calls. It uses a cluster in this process. */
export class RpcNode {
  /** Called with each transaction. If it throws, the node accepts the transaction but does not answer. */
  beforeAnswer: () => void = () => undefined;
  /** If it returns true, the transaction is dropped and no block includes it. */
  isDropped: () => boolean = () => false;
  sent = 0;
  private readonly failures = new Map<string, string>();
  private height = 1_000;

  private constructor(
    private readonly cluster: LocalCluster,
    private readonly server: Server,
  ) {}

  static async start(cluster: LocalCluster): Promise<RpcNode> {
    const server = createServer();
    const node = new RpcNode(cluster, server);
    server.on('request', (request, response) => {
      void readJson(request)
        .then(({ method, params }) => response.end(JSON.stringify(node.answer(method, params))))
        .catch(() => response.destroy());
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return node;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/token-in-the-path`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await once(this.server.close(), 'close');
  }

  private answer(method: string, params: any[]): object {
    switch (method) {
      case 'getMultipleAccounts':
        return { result: { value: params[0].map((address: string) => this.account(address)) } };
      case 'getMinimumBalanceForRentExemption':
        return { result: Number(this.cluster.rent(params[0])) };
      case 'getLatestBlockhash':
        return {
          result: {
            value: { blockhash: this.cluster.vm.latestBlockhash(), lastValidBlockHeight: this.height + 3 },
          },
        };
      case 'getBlockHeight':
        return { result: this.height++ };
      case 'sendTransaction':
        return this.send(Buffer.from(params[0], 'base64'));
      case 'getSignatureStatuses':
        return { result: { value: params[0].map((signature: string) => this.status(signature)) } };
      default:
        return { error: { message: `${method} is unknown` } };
    }
  }

  private account(address: string): object | null {
    const found = this.cluster.account(address);
    if (!found) return null;
    const data = [Buffer.from(found.data).toString('base64'), 'base64'];
    return { owner: found.owner, lamports: Number(found.lamports), data };
  }

  private send(transaction: Buffer): object {
    this.sent++;
    const signature = base58.encode(transaction.subarray(1, 65));
    if (!this.isDropped()) {
      const result = this.cluster.vm.sendLegacyTransaction(transaction);
      const failed = result instanceof native.FailedTransactionMetadata;
      this.failures.set(signature, failed ? result.meta().logs().join('\n') : '');
    }
    this.beforeAnswer();
    return { result: signature };
  }

  private status(signature: string): object | null {
    const failure = this.failures.get(signature);
    if (failure === undefined) return null;
    return { err: failure === '' ? null : failure, confirmationStatus: 'confirmed' };
  }
}

async function readJson(request: IncomingMessage): Promise<{ method: string; params: any[] }> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return JSON.parse(text);
}
