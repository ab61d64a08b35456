import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';

interface Request {
  id: number;
  method: string;
  params: Record<string, any>;
}

interface Stored {
  topic: string;
  message: string;
  tag: number;
  publishedAt: number;
}

/** A WalletConnect relay in memory: topics with their subscribers and undelivered messages. */
export class Relay {
  private readonly subscribers = new Map<string, Set<WebSocket>>();
  private readonly mailbox = new Map<string, Stored[]>();
  private ids = Date.now() * 1_000;

  private constructor(private readonly server: WebSocketServer) {
    server.on('connection', (socket) => {
      socket.on('message', (data) => this.receive(socket, JSON.parse(String(data)) as Request));
      socket.on('close', () => {
        for (const sockets of this.subscribers.values()) sockets.delete(socket);
      });
    });
  }

  static async open(port = 0): Promise<Relay> {
    const server = new WebSocketServer({ host: '127.0.0.1', port });
    await once(server, 'listening');
    return new Relay(server);
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    for (const socket of this.server.clients) socket.terminate();
    this.server.close();
  }

  private receive(socket: WebSocket, { id, method, params }: Request): void {
    // A reply to a message of the relay.
    if (method === undefined) return;
    const result = this.answer(socket, method, params);
    socket.send(JSON.stringify({ id, jsonrpc: '2.0', result }));
  }

  private answer(socket: WebSocket, method: string, params: Record<string, any>): unknown {
    switch (method) {
      case 'irn_subscribe':
        return this.subscribe(socket, params['topic']);
      case 'irn_batchSubscribe':
        return params['topics'].map((topic: string) => this.subscribe(socket, topic));
      case 'irn_batchFetchMessages':
        return { messages: [], hasMore: false };
      case 'irn_publish':
        return this.publish(socket, params['topic'], params['message'], params['tag']);
      case 'wc_proposeSession':
        this.subscribe(socket, params['pairingTopic']);
        return this.publish(socket, params['pairingTopic'], params['sessionProposal'], 1_100);
      case 'wc_approveSession':
        this.subscribe(socket, params['sessionTopic']);
        this.publish(socket, params['pairingTopic'], params['sessionProposalResponse'], 1_101);
        return this.publish(socket, params['sessionTopic'], params['sessionSettlementRequest'], 1_102);
      default:
        return true;
    }
  }

  private subscribe(socket: WebSocket, topic: string): string {
    const sockets = this.subscribers.get(topic) ?? new Set();
    this.subscribers.set(topic, sockets.add(socket));
    const waiting = this.mailbox.get(topic) ?? [];
    this.mailbox.delete(topic);
    // After the reply that confirms the subscription.
    setImmediate(() => waiting.forEach((stored) => this.deliver(socket, stored)));
    return topic;
  }

  private publish(from: WebSocket, topic: string, message: string, tag: number): true {
    const stored = { topic, message, tag, publishedAt: Date.now() };
    const others = [...(this.subscribers.get(topic) ?? [])].filter((socket) => socket !== from);
    if (others.length === 0) this.mailbox.set(topic, [...(this.mailbox.get(topic) ?? []), stored]);
    for (const socket of others) this.deliver(socket, stored);
    return true;
  }

  private deliver(socket: WebSocket, data: Stored): void {
    const params = { id: data.topic, data: { ...data, attestation: '' } };
    socket.send(JSON.stringify({ id: ++this.ids, jsonrpc: '2.0', method: 'irn_subscription', params }));
  }
}
