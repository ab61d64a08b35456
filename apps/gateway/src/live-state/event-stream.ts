import { reconnectMs, streamHeartbeatSeconds, streamMinutes, type StreamEnd } from '@tollbridge/contracts';
import { DomainError } from '@tollbridge/rpc';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Socket } from 'node:net';
import { beginEndlessReply } from './endless-reply';
import { eventStreamType, eventText, heartbeatText, retryText } from './event-text';
import type { Feed, FeedSubscriber } from './feed';
import type { LiveState } from './resource';

/** Unsent bytes of a stream, some dozens of states: above that it ends. Bounds memory. */
export const maxWaitingBytes = 64 * 1024;

export interface StreamHooks {
  /** Whether no further request waits on the connection: it could never be answered. */
  isAlone(request: FastifyRequest): boolean;
  onOpened(stream: EventStream, socket: Socket): void;
  /** The connection of an open stream has closed. */
  onClosed(stream: EventStream): void;
  onMessage(): void;
  onSlowReader(): void;
}

const end: StreamEnd = { reason: 'final' };
const endData = JSON.stringify(end);
const beats = (streamMinutes * 60) / streamHeartbeatSeconds;

/** The reply to one client: its status is decided by the first state, then each state is a message. */
export class EventStream implements FeedSubscriber {
  /** What the stream follows, once it has joined. */
  feed: Feed | undefined;
  /** Slot of the heartbeat, once the stream is open. */
  slot: number | undefined;
  /** Once the stream is open. */
  private socket: Socket | undefined;
  private beatsLeft = beats;

  /**
   * @param reply dropped when the stream opens: thousands of open streams keep little memory
   * @param address of the client
   * @param clientHas id of the state that the client has received last
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

  /** Called once in each period of the heartbeat. */
  beat(): void {
    if (--this.beatsLeft <= 0) this.close(retryText());
    else this.write(heartbeatText);
  }

  /** Ends the stream of a process that stops. Its clients do not all reconnect in the same moment. */
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
      // nginx would collect messages before it passes them on.
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
