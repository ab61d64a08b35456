import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { stringify } from 'lossless-json';
import { WebSocketServer, type WebSocket } from 'ws';
import { withContext } from './rpc-context';
import { signatureParam, type RpcParams } from './rpc-params';
import type { SolanaChain } from './solana-chain';
import { rpcCodes, SolanaRejection } from './solana-rejection';
import type { TransactionMethods } from './transaction-methods';

// Short, because clients wait for the notification. A slot takes 400 ms.
const pollMs = 50;
// Limited, because each poll reads all of them.
const mostSubscriptions = 1_000;

interface Subscription {
  socket: WebSocket;
  /** Returns whether the subscription has ended. */
  poll(): Promise<boolean>;
}

/** The subscriptions that clients use to wait for confirmations: `signatureSubscribe` and `slotSubscribe`. */
export class Subscriptions {
  private readonly server = new WebSocketServer({ noServer: true, maxPayload: 64 * 1024 });
  private readonly active = new Map<number, Subscription>();
  private lastId = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly chain: SolanaChain,
    private readonly transactions: TransactionMethods,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** Accepts WebSocket connections to this path. */
  attach(server: Server, path: string, isUp: () => boolean): void {
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      const [requested = ''] = (request.url ?? '').split('?');
      if (requested.replace(/\/$/, '') !== path) return;
      if (!isUp()) return void socket.destroy();
      this.server.handleUpgrade(request, socket, head, (opened) => this.open(opened));
    });
  }

  async close(): Promise<void> {
    clearTimeout(this.timer);
    this.active.clear();
    for (const socket of this.server.clients) socket.terminate();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private open(socket: WebSocket): void {
    socket.on('error', () => socket.terminate());
    socket.on('close', () => {
      for (const [id, subscription] of this.active)
        if (subscription.socket === socket) this.active.delete(id);
    });
    socket.on('message', (data: Buffer) => this.answer(socket, data.toString()));
  }

  private answer(socket: WebSocket, text: string): void {
    const { id, method, params } = readRequest(text);
    // Clients send `ping` without an id to keep the connection open.
    if (id === undefined) return;
    try {
      this.send(socket, { id, result: this.call(socket, method, params) });
    } catch (error) {
      const { code, message } =
        error instanceof SolanaRejection ? error : { code: -32_603, message: 'Internal error' };
      this.send(socket, { id, error: { code, message } });
    }
  }

  private call(socket: WebSocket, method: string, params: RpcParams): number | boolean {
    if (method.endsWith('Unsubscribe')) return this.active.delete(Number(params[0]));
    if (this.active.size >= mostSubscriptions)
      throw new SolanaRejection(rpcCodes.invalidRequest, 'Too many subscriptions');
    const id = ++this.lastId;
    if (method === 'signatureSubscribe')
      this.active.set(id, this.signature(socket, id, signatureParam(params[0])));
    else if (method === 'slotSubscribe') this.active.set(id, this.slot(socket, id));
    else throw new SolanaRejection(rpcCodes.methodNotFound, 'Method not found');
    this.timer ??= this.schedule();
    return id;
  }

  /** Sends one notification, and then ends. */
  private signature(socket: WebSocket, subscription: number, signature: string): Subscription {
    return {
      socket,
      poll: async () => {
        const status = await this.transactions.status(signature);
        if (!status) return false;
        const result = withContext(status.slot, { err: status.err });
        this.notify(socket, 'signatureNotification', { result, subscription });
        return true;
      },
    };
  }

  private slot(socket: WebSocket, subscription: number): Subscription {
    let last: number | undefined;
    return {
      socket,
      poll: async () => {
        const slot = await this.chain.slot('confirmed');
        if (slot === last) return false;
        last = slot;
        const root = await this.chain.slot('finalized');
        const { parentSlot: parent } = (await this.chain.slots()).block(slot);
        this.notify(socket, 'slotNotification', { result: { slot, parent, root }, subscription });
        return false;
      },
    };
  }

  private schedule(): NodeJS.Timeout {
    return setTimeout(() => {
      void this.pollAll()
        .catch(this.onError)
        .finally(() => (this.timer = this.active.size > 0 ? this.schedule() : undefined));
    }, pollMs).unref();
  }

  private async pollAll(): Promise<void> {
    for (const [id, subscription] of [...this.active])
      if (this.active.has(id) && (await subscription.poll())) this.active.delete(id);
  }

  private notify(socket: WebSocket, method: string, params: object): void {
    this.send(socket, { method, params });
  }

  private send(socket: WebSocket, body: object): void {
    socket.send(stringify({ jsonrpc: '2.0', ...body })!);
  }
}

function readRequest(text: string): { id?: unknown; method: string; params: RpcParams } {
  try {
    const { id, method, params } = JSON.parse(text) as Record<string, unknown>;
    return { id, method: String(method), params: Array.isArray(params) ? params : [] };
  } catch {
    return { method: '', params: [] };
  }
}
