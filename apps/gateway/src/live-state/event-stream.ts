import { reconnectMs, streamHeartbeatSeconds, streamMinutes, type StreamEnd } from '@tollbridge/contracts';
import { DomainError } from '@tollbridge/rpc';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Socket } from 'node:net';
import { beginEndlessReply } from './endless-reply';
import { eventStreamType, eventText, heartbeatText, retryText } from './event-text';
import type { Feed, FeedSubscriber } from './feed';
import type { LiveState } from './resource';

/** The limit of unsent bytes, a few dozen states. A stream above it ends, to limit the memory. */
export const maxWaitingBytes = 64 * 1024;

export interface StreamHooks {
  /** Whether the request is the only one on its connection. Another one could never be answered. */
  isAlone(request: FastifyRequest): boolean;
  onOpened(stream: EventStream, socket: Socket): void;
  /** Called after the connection of an open stream has closed. */
  onClosed(stream: EventStream): void;
  onMessage(): void;
  onSlowReader(): void;
}

const end: StreamEnd = { reason: 'final' };
const endData = JSON.stringify(end);
const beats = (streamMinutes * 60) / streamHeartbeatSeconds;

/** The reply to one client. The first state determines the HTTP status, then each state is a message. */
export class EventStream implements FeedSubscriber {
  /** The feed of the resource, after the stream has joined it. */
  feed: Feed | undefined;
  /** The heartbeat slot, while the stream is open. */
  slot: number | undefined;
  /** Set while the stream is open. */
  private socket: Socket | undefined;
  private beatsLeft = beats;

  /**
   * @param reply released when the stream opens, because thousands of open streams must use little memory
   * @param address the address of the client
   * @param clientHas the id of the last state that the client received
   * @param hooks shared by all streams
   */
  constructor(
    private reply: FastifyReply | undefined,
    readonly address: string,
    private clientHas: string | undefined,
    private readonly hooks: StreamHooks,
  ) {}

  get isOpen(): boolean {
    return this.socket !== undefined;
  }

  onState({ id, isFinal }: LiveState, text: string): void {
    const isKnown = id !== undefined && id === this.clientHas;
    // An EventSource does not reconnect after 204.
    if (this.reply && isKnown && isFinal) return this.replyNoContent(this.reply);
    if (this.reply && !this.hooks.isAlone(this.reply.request)) return this.onFailure(severalRequests());
    let message = this.reply ? retryText() : '';
    if (!isKnown) message += text;
    if (isFinal) message += eventText('end', endData, id);
    if (this.reply) this.open(this.reply);
    this.clientHas = id;
    if (message === '') return;
    this.write(message);
    if (!isKnown) this.hooks.onMessage();
    if (isFinal) this.socket?.destroySoon();
  }

  onFailure(error: unknown): void {
    this.socket?.destroySoon();
    void this.reply?.send(error);
    this.reply = undefined;
  }

  /** Called once in each heartbeat period. */
  beat(): void {
    if (--this.beatsLeft <= 0) this.close(retryText());
    else this.write(heartbeatText);
  }

  /**
   * Ends the stream when the process stops. The delay is random, so that not all clients reconnect at the same time.
   */
  stop(): void {
    this.close(retryText(Math.round(reconnectMs * (0.5 + Math.random()))));
  }

  private replyNoContent(reply: FastifyReply): void {
    this.reply = undefined;
    void reply.code(204).send();
  }

  private open(reply: FastifyReply): void {
    this.reply = undefined;
    this.socket = beginEndlessReply(reply, {
      'content-type': eventStreamType,
      // Without this header, nginx would buffer messages.
      'x-accel-buffering': 'no',
    });
    this.socket.once('close', () => this.hooks.onClosed(this));
    this.hooks.onOpened(this, this.socket);
  }

  private close(lastText: string): void {
    this.write(lastText);
    this.socket?.destroySoon();
  }

  private write(text: string): void {
    const { socket } = this;
    if (!socket || socket.destroyed || socket.writableEnded) return;
    if (socket.writableLength > maxWaitingBytes) {
      this.hooks.onSlowReader();
      socket.destroy();
    } else socket.write(text);
  }
}

const severalRequests = (): DomainError =>
  new DomainError('VALIDATION_ERROR', 'A stream ends with its connection. Send its request alone.');
