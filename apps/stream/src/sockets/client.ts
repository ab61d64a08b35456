import {
  clientMessagesAtOnce,
  clientMessagesPerSecond,
  closeCodes,
  maxSubscriptionsPerSocket,
  type PongMessage,
  type StreamErrorMessage,
  type SubscribedMessage,
  type UnsubscribedMessage,
} from '@tollbridge/contracts';
import { errorCodes } from '@tollbridge/rpc';
import type { Writable } from 'node:stream';
import { WebSocket, type RawData } from 'ws';
import type { Follower, RefusalReason } from '../updates/feed';
import type { Updates } from '../updates/updates';
import { readClientMessage, unknownTransaction, type Refusal } from './client-messages';
import { MessageAllowance } from './message-allowance';
import { textFrame } from './text-frame';

type ServerMessage = SubscribedMessage | UnsubscribedMessage | PongMessage | StreamErrorMessage;

export interface ClientHooks {
  /** By how much the number of subscriptions changed. */
  onSubscriptions(change: number): void;
  onSlowReader(): void;
}

/** What may wait for a client that reads slowly: some seconds of the busiest socket. More would be memory of ours. */
export const maxWaitingBytes = 256 * 1024;

const refusals: Record<RefusalReason, string> = {
  NOT_FOUND: unknownTransaction,
  SERVICE_UNAVAILABLE: 'The state cannot be read at present. Subscribe again in a few seconds.',
};

/** One socket: what its client wants, and what it is sent. */
export class Client implements Follower {
  /** Whether anything came since the last look. */
  isAlive = true;
  private readonly subscribed = new Set<string>();
  private readonly allowance = new MessageAllowance(clientMessagesAtOnce, clientMessagesPerSecond);

  /**
   * @param connection what `socket` writes to. Frames go there directly: made once for thousands of sockets, which ws would
   * not do. Their order stays that of the calls, since without compression ws writes each of its own frames at once too.
   */
  constructor(
    private readonly socket: WebSocket,
    private readonly connection: Writable,
    private readonly updates: Pick<Updates, 'follow' | 'unfollow'>,
    private readonly hooks: ClientHooks,
  ) {
    socket.on('message', (data, isBinary) => this.isAllowed() && this.take(data, isBinary));
    socket.on('ping', () => this.isAllowed());
    socket.on('pong', () => this.isAllowed());
    socket.on('close', () => this.forget());
  }

  began(transactionId: string, state: Buffer): void {
    this.send({ type: 'subscribed', transactionId });
    this.write(state);
  }

  changed(state: Buffer): void {
    this.write(state);
  }

  refused(transactionId: string, reason: RefusalReason): void {
    if (!this.subscribed.delete(transactionId)) return;
    this.hooks.onSubscriptions(-1);
    this.refuse({ code: reason, message: refusals[reason], transactionId });
  }

  /** Ends a socket that has not answered the last ping; asks the others. */
  lookAfter(): void {
    if (!this.isAlive) return this.socket.terminate();
    this.isAlive = false;
    if (this.socket.readyState === WebSocket.OPEN) this.socket.ping();
  }

  close(code: number, reason: string): void {
    // What would be sent after the close frame is nobody's.
    this.forget();
    this.socket.close(code, reason);
  }

  terminate(): void {
    this.socket.terminate();
  }

  private isAllowed(): boolean {
    this.isAlive = true;
    // Frames that came together are read to their end, also when the socket is closed in their midst.
    if (this.socket.readyState !== WebSocket.OPEN) return false;
    if (this.allowance.spend()) return true;
    this.close(closeCodes.tooManyMessages, 'too many messages');
    return false;
  }

  private take(data: RawData, isBinary: boolean): void {
    if (isBinary)
      return this.refuse({
        code: 'MALFORMED_JSON',
        message: 'The message must be a text frame, not a binary one.',
      });
    const { message, refusal } = readClientMessage((data as Buffer).toString());
    if (refusal) return this.refuse(refusal);
    switch (message.action) {
      case 'subscribe':
        return this.subscribe(message.transactionId);
      case 'unsubscribe':
        return this.unsubscribe(message.transactionId);
      case 'ping':
        return this.send({ type: 'pong' });
    }
  }

  private subscribe(transactionId: string): void {
    // Asked for again, the present state is told again: to the client it may be a new beginning.
    if (this.subscribed.has(transactionId)) this.updates.unfollow(transactionId, this);
    else if (this.subscribed.size >= maxSubscriptionsPerSocket)
      return this.refuse({
        code: 'TOO_MANY_SUBSCRIPTIONS',
        message: errorCodes.TOO_MANY_SUBSCRIPTIONS[1],
        transactionId,
      });
    else {
      this.subscribed.add(transactionId);
      this.hooks.onSubscriptions(1);
    }
    this.updates.follow(transactionId, this);
  }

  /** Answers the same whether it was subscribed or not. */
  private unsubscribe(transactionId: string): void {
    if (this.subscribed.delete(transactionId)) {
      this.updates.unfollow(transactionId, this);
      this.hooks.onSubscriptions(-1);
    }
    this.send({ type: 'unsubscribed', transactionId });
  }

  private refuse({ code, message, transactionId }: Refusal): void {
    this.send({ type: 'error', error: { code, message }, ...(transactionId && { transactionId }) });
  }

  private send(message: ServerMessage): void {
    this.write(textFrame(JSON.stringify(message)));
  }

  private write(frame: Buffer): void {
    const { socket, connection } = this;
    if (socket.readyState !== WebSocket.OPEN || !connection.writable) return;
    if (connection.writableLength > maxWaitingBytes) {
      this.hooks.onSlowReader();
      return this.close(closeCodes.slowReader, 'updates were not read');
    }
    connection.write(frame);
  }

  private forget(): void {
    for (const transactionId of this.subscribed) this.updates.unfollow(transactionId, this);
    this.hooks.onSubscriptions(-this.subscribed.size);
    this.subscribed.clear();
  }
}
