import { reconnectMs, streamHeartbeatSeconds, streamMinutes, type StreamEnd } from '@tollbridge/contracts';
import type { FastifyReply } from 'fastify';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { eventStreamType, eventText, heartbeatText, retryText } from './event-text';
import type { Feed, FeedSubscriber } from './feed';
import type { LiveState } from './resource';

/** Unsent bytes at which a stream ends: some dozens of states. Bounds memory. */
export const maxWaitingBytes = 64 * 1024;

export interface StreamHooks {
  onOpened(stream: EventStream): void;
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
  private readonly raw: ServerResponse;
  private beatsLeft = beats;

  /**
   * @param reply dropped when the stream opens: thousands of open streams keep little memory
   * @param clientHas id of the state that the client has received last
   * @param hooks shared by all streams
   */
  constructor(
    private reply: FastifyReply | undefined,
    private clientHas: string | undefined,
    private readonly hooks: StreamHooks,
  ) {
    this.raw = reply!.raw;
  }

  onState({ id, isFinal }: LiveState, text: string): void {
    const isKnown = id !== undefined && id === this.clientHas;
    // An EventSource does not reconnect after 204.
    if (this.reply && isKnown && isFinal) return this.replyNoContent(this.reply);
    let message = this.reply ? retryText() : '';
    if (!isKnown) message += text;
    if (isFinal) message += eventText('end', endData, id);
    if (this.reply) this.open(this.reply);
    this.clientHas = id;
    if (message === '') return;
    this.write(message);
    if (!isKnown) this.hooks.onMessage();
    if (isFinal) this.raw.end();
  }

  onFailure(error: unknown): void {
    if (this.reply) void this.reply.send(error);
    else this.raw.end();
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
    void reply.code(204).send();
  }

  private open(reply: FastifyReply): void {
    const { raw } = this;
    reply.hijack();
    this.reply = undefined;
    // The body ends with its connection: a chunk would be three writes.
    raw.removeHeader('transfer-encoding');
    const headers = reply.getHeaders() as OutgoingHttpHeaders;
    raw.writeHead(200, {
      ...headers,
      'content-type': eventStreamType,
      // nginx would collect messages before it passes them on.
      'x-accel-buffering': 'no',
      connection: 'close',
    });
    // Both stay in memory with the request (bench:events): Node.js keeps the head as a tree of some seventy strings.
    for (const name of Object.keys(headers)) reply.removeHeader(name);
    flatten((raw as unknown as { _header: string | null })._header);
    this.hooks.onOpened(this);
  }

  private close(lastText: string): void {
    this.write(lastText);
    this.raw.end();
  }

  private write(text: string): void {
    const { raw } = this;
    if (raw.destroyed || raw.writableEnded) return;
    if (raw.writableLength > maxWaitingBytes) {
      this.hooks.onSlowReader();
      raw.destroy();
    } else raw.write(text);
  }
}

/** V8 joins the parts of a string when its characters are read. */
function flatten(text: string | null): void {
  text?.charCodeAt(0);
}
