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
import type { Subscriber, RejectionReason } from '../updates/feed';
import type { Updates } from '../updates/updates';
import { readClientMessage, unknownTransaction, type MessageRejection } from './client-messages';
import { MessageRateLimit } from './message-rate-limit';
import { textFrame } from './text-frame';

type ServerMessage = SubscribedMessage | UnsubscribedMessage | PongMessage | StreamErrorMessage;

export interface ClientHooks {
  /** Receives the change in the number of subscriptions. */
  onSubscriptions(change: number): void;
  onSlowReader(): void;
}

/** The maximum of unsent bytes for a slow reader: some seconds of the busiest socket. It limits the memory. */
export const maxWaitingBytes = 256 * 1024;

const rejections: Record<RejectionReason, string> = {
  NOT_FOUND: unknownTransaction,
  SERVICE_UNAVAILABLE: 'The state cannot be read at present. Subscribe again in a few seconds.',
};

/** One socket with its messages and subscriptions. */
export class Client implements Subscriber {
  /** Whether the client has sent anything since the last heartbeat. */
  isAlive = true;
  private readonly subscribed = new Set<string>();
  private readonly rateLimit = new MessageRateLimit(clientMessagesAtOnce, clientMessagesPerSecond);

  /**
   * @param connection the stream under `socket`. Shared frames are written to it directly, because ws would encode them
   * again for each socket (benchmark "stream fan-out"). Frames stay in order, because ws without compression writes
   * them immediately.
   */
  constructor(
    private readonly socket: WebSocket,
    private readonly connection: Writable,
    private readonly updates: Pick<Updates, 'subscribe' | 'unsubscribe'>,
    private readonly hooks: ClientHooks,
  ) {
    socket.on('message', (data, isBinary) => this.isAllowed() && this.take(data, isBinary));
    socket.on('ping', () => this.isAllowed());
    socket.on('pong', () => this.isAllowed());
    socket.on('close', () => this.dropSubscriptions());
  }

  onSubscribed(transactionId: string, state: Buffer): void {
    this.send({ type: 'subscribed', transactionId });
    this.write(state);
  }

  onUpdate(state: Buffer): void {
    this.write(state);
  }

  onRejected(transactionId: string, reason: RejectionReason): void {
    if (!this.subscribed.delete(transactionId)) return;
    this.hooks.onSubscriptions(-1);
    this.reject({ code: reason, message: rejections[reason], transactionId });
  }

  /** Terminates the socket if the last ping was not answered, otherwise sends a ping. */
  checkAlive(): void {
    if (!this.isAlive) return this.socket.terminate();
    this.isAlive = false;
    if (this.socket.readyState === WebSocket.OPEN) this.socket.ping();
  }

  close(code: number, reason: string): void {
    // No frame may follow the close frame.
    this.dropSubscriptions();
    this.socket.close(code, reason);
  }

  terminate(): void {
    this.socket.terminate();
  }

  private isAllowed(): boolean {
    this.isAlive = true;
    // ws delivers all frames of a chunk, even after one of them closed the socket.
    if (this.socket.readyState !== WebSocket.OPEN) return false;
    if (this.rateLimit.take()) return true;
    this.close(closeCodes.tooManyMessages, 'too many messages');
    return false;
  }

  private take(data: RawData, isBinary: boolean): void {
    if (isBinary)
      return this.reject({
        code: 'MALFORMED_JSON',
        message: 'The message must be a text frame, not a binary one.',
      });
    const { message, rejection } = readClientMessage((data as Buffer).toString());
    if (rejection) return this.reject(rejection);
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
    // A repeated subscription sends the current state again, because the client may have lost its own.
    if (this.subscribed.has(transactionId)) this.updates.unsubscribe(transactionId, this);
    else if (this.subscribed.size >= maxSubscriptionsPerSocket)
      return this.reject({
        code: 'TOO_MANY_SUBSCRIPTIONS',
        message: errorCodes.TOO_MANY_SUBSCRIPTIONS[1],
        transactionId,
      });
    else {
      this.subscribed.add(transactionId);
      this.hooks.onSubscriptions(1);
    }
    this.updates.subscribe(transactionId, this);
  }

  /** The reply is the same whether the client was subscribed or not. */
  private unsubscribe(transactionId: string): void {
    if (this.subscribed.delete(transactionId)) {
      this.updates.unsubscribe(transactionId, this);
      this.hooks.onSubscriptions(-1);
    }
    this.send({ type: 'unsubscribed', transactionId });
  }

  private reject({ code, message, transactionId }: MessageRejection): void {
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

  private dropSubscriptions(): void {
    for (const transactionId of this.subscribed) this.updates.unsubscribe(transactionId, this);
    this.hooks.onSubscriptions(-this.subscribed.size);
    this.subscribed.clear();
  }
}
