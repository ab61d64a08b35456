import { base58 } from '@scure/base';
import { splTokenProgram } from '@tollbridge/onchain/solana';
import { startHttpServer, type HttpServer } from '@tollbridge/testing';
import { randomBytes } from 'node:crypto';

export const solanaNetwork = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp';
const genesis = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
const blockhashBlocks = 150;

/** Fake Solana node with heights, blockhashes and token accounts. Its newest block is final. */
export class FakeSolana {
  height = 1_000;
  isDown = false;
  hasAccounts = true;

  private constructor(private readonly server: HttpServer) {}

  static async start(): Promise<FakeSolana> {
    const server = await startHttpServer(({ body }) => fake.answer(JSON.parse(body)));
    const fake: FakeSolana = new FakeSolana(server);
    return fake;
  }

  get url(): string {
    return this.server.url;
  }

  close(): Promise<void> {
    return this.server.close();
  }

  private answer({ id, method }: { id: unknown; method: string }) {
    if (this.isDown) return { status: 503, body: {} };
    return { body: { jsonrpc: '2.0', id, result: this.resultOf(method) } };
  }

  private resultOf(method: string): unknown {
    switch (method) {
      case 'getGenesisHash':
        return genesis;
      case 'getSlot':
      case 'getBlockHeight':
        return this.height;
      case 'getLatestBlockhash': {
        const blockhash = base58.encode(randomBytes(32));
        return { value: { blockhash, lastValidBlockHeight: this.height + blockhashBlocks } };
      }
      case 'getAccountInfo':
        return { value: this.hasAccounts ? { owner: splTokenProgram } : null };
      default:
        throw new Error(`unexpected call of ${method}`);
    }
  }
}
