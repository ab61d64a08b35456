import {
  migrateSandbox,
  sandboxSolanaKey,
  solanaPayProgram,
  startSolanaSimulator,
} from '@tollbridge/app-sandbox';
import { findChain, type DeploymentEntry } from '@tollbridge/chains';
import { Database, type Clock } from '@tollbridge/database';
import {
  compileMessage,
  createTokenAccountInstruction,
  parseTransaction,
  signTransaction,
  splTokenProgram,
  tokenAccountAddress,
  tokenTransferInstruction,
} from '@tollbridge/onchain/solana';
import { freshDatabase, startHttpServer, type HttpReply } from '@tollbridge/testing';

const usdc = findChain('solana')!.tokens.find(({ symbol }) => symbol === 'USDC')!.address!;

/** A multiple of a cluster's speed. With it, a blockhash is valid for six seconds. */
const usualSpeed = 10;

/** A clock that is faster than a cluster's, and ahead on request. */
class FastClock implements Clock {
  private speed = usualSpeed;
  private atMs = Date.now();
  private sinceMs = this.atMs;

  now(): number {
    return this.atMs + (Date.now() - this.sinceMs) * this.speed;
  }

  runAt(speed: number): void {
    [this.atMs, this.sinceMs] = [this.now(), Date.now()];
    this.speed = speed;
  }

  skip(slots: number): void {
    this.atMs += slots * 400;
  }
}

interface RpcRequest {
  id: unknown;
  method: string;
  params: unknown[];
}

/** A local Solana network. The node in front of it can lose transactions, hide them, or stop answering. */
export class SolanaNetwork {
  readonly usdc = usdc;
  /** Whether the node accepts transactions but does not broadcast them. */
  losesTransactions = false;
  isDown = false;
  /** Whether the node shows no transactions, like a node on another fork. */
  hidesTransactions = false;

  private constructor(
    private readonly parts: Awaited<ReturnType<typeof openNetwork>>,
    readonly rpcUrl: string,
    private readonly closeProxy: () => Promise<void>,
  ) {}

  static async open(): Promise<SolanaNetwork> {
    const parts = await openNetwork();
    const proxy = await startHttpServer(({ body }) => network.answer(JSON.parse(body) as RpcRequest));
    const network: SolanaNetwork = new SolanaNetwork(parts, proxy.url, () => proxy.close());
    return network;
  }

  async close(): Promise<void> {
    await this.closeProxy();
    await this.parts.close();
  }

  get entry(): DeploymentEntry {
    const { address: payContract } = solanaPayProgram;
    return { chain: 'solana', rpcUrls: [this.rpcUrl], payContract, confirmations: 32, pollIntervalMs: 50 };
  }

  get problems(): unknown[] {
    return this.parts.problems;
  }

  skip(slots: number): void {
    this.parts.clock.skip(slots);
  }

  /** @param speed a multiple of a cluster's speed */
  runAt(speed = usualSpeed): void {
    this.parts.clock.runAt(speed);
  }

  /** A wallet with USDC that no other test uses. */
  async newWallet(name: string, heldAtomic: bigint): Promise<{ address: string; secretKey: Uint8Array }> {
    const wallet = sandboxSolanaKey(name);
    const payer = sandboxSolanaKey('payer');
    const accounts = { from: payer.address, to: wallet.address, mint: usdc, tokenProgram: splTokenProgram };
    const instructions = [
      createTokenAccountInstruction(payer.address, wallet.address, usdc),
      tokenTransferInstruction({ ...accounts, amountAtomic: heldAtomic, decimals: 6 }),
    ];
    const message = compileMessage(payer.address, instructions, await this.blockhash());
    await this.send(signTransaction(message, payer.secretKey));
    return wallet;
  }

  /** Sends directly to the chain, bypassing the node in front of it. */
  async send(wire: Uint8Array): Promise<void> {
    await this.chain.send(wire, false);
  }

  async blockhash(): Promise<string> {
    const slots = await this.chain.slots();
    return slots.block(await this.chain.slot('confirmed')).blockhash;
  }

  async balanceOf(owner: string): Promise<bigint> {
    const account = await this.chain.account(tokenAccountAddress(owner, usdc, splTokenProgram));
    return account ? Buffer.from(account.data).readBigUInt64LE(64) : 0n;
  }

  async lamportsOf(address: string): Promise<bigint> {
    return (await this.chain.account(address))?.lamports ?? 0n;
  }

  private get chain() {
    return this.parts.running.simulator.chain;
  }

  private async answer({ id, method, params }: RpcRequest): Promise<HttpReply> {
    if (this.isDown) return { status: 503, body: {} };
    const result = (value: unknown): HttpReply => ({ body: { jsonrpc: '2.0', id, result: value } });
    if (method === 'sendTransaction' && this.losesTransactions) {
      const wire = Uint8Array.from(Buffer.from(params[0] as string, 'base64'));
      return result(parseTransaction(wire).signatures[0]);
    }
    if (method === 'getTransaction' && this.hidesTransactions) return result(null);
    if (method === 'getSignatureStatuses' && this.hidesTransactions)
      return result({ context: { slot: 1 }, value: [null] });
    const reply = await fetch(this.parts.running.rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
    });
    return { body: await reply.text(), headers: { 'content-type': 'application/json' } };
  }
}

async function openNetwork() {
  const fresh = await freshDatabase('sandbox', migrateSandbox);
  const database = await Database.open({
    app: 'sandbox',
    url: fresh.runtimeUrl,
    entities: [],
    maxConnections: 4,
  });
  const problems: unknown[] = [];
  const clock = new FastClock();
  const running = await startSolanaSimulator({ database, clock, onError: (error) => problems.push(error) });
  return {
    clock,
    running,
    problems,
    async close() {
      await running.close();
      await database.close();
      await fresh.drop();
    },
  };
}
