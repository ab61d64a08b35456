import { open, withDeadline } from './attempt';
import { buildRequest, type BuiltRequest } from './build-request';
import type { CallOptions } from './call';
import type { Client, FetchReply } from './client';
import { ClientError, type TollbridgeError } from './errors';
import { EventParser, type ParsedEvent } from './event-parser';
import { failureOf, parseJson } from './parse-reply';
import { retryDelayMs, sleep } from './retry';
import type { Input, Route } from './route';

/** A message of a stream. */
export interface StreamMessage<Name extends string, T> {
  /** Id of the message. Pass it as `lastEventId` to continue after this message, also in another process. */
  id: string | undefined;
  event: Name;
  data: T;
}

export interface StreamOptions extends Pick<CallOptions, 'signal' | 'timeoutMs' | 'headers'> {
  /** Maximum reconnections in a row without a message, before the stream throws. Default 10. */
  retries?: number | undefined;
  /** Id of the last received message. The current state is sent only if it has changed since. */
  lastEventId?: string | undefined;
}

export interface StreamRoute extends Route {
  /** Names of the returned messages. */
  events: readonly string[];
}

const usualRetries = 10;
const usualReconnectMs = 2_000;
// The server sends a comment every 15 seconds, so this silence means a lost connection.
const silenceMs = 45_000;

/**
 * Follows a stream of server-sent events until the server ends it. Lost connections are reopened after the last
 * received message. Leave the loop to close the stream.
 */
export async function* eventStream<T>(
  client: Client,
  route: StreamRoute,
  input: object,
  options: StreamOptions = {},
): AsyncGenerator<T, void, undefined> {
  const request = await buildRequest(client, route, input as Input, options);
  request.headers['accept'] = 'text/event-stream';
  const stream: Position = { lastEventId: options.lastEventId, reconnectMs: usualReconnectMs };
  for (let failures = 0; ;) {
    const before = stream.lastEventId;
    try {
      for await (const { id, event, data } of connection(client, route, request, options, stream)) {
        failures = 0;
        if (event === 'end') return;
        if (route.events.includes(event)) yield { id, event, data: parseJson(data) } as T;
      }
      if (stream.hasEnded) return;
    } catch (error) {
      const final = retryDelayMs(error as TollbridgeError, 0) === undefined;
      if (final || failures >= (options.retries ?? usualRetries)) throw error;
      const waitMs = retryDelayMs(error as TollbridgeError, failures)!;
      failures += 1;
      await sleep(waitMs, route.id, options.signal);
      continue;
    }
    // The server ends long streams regularly. A stream that ends without a message counts as a failure.
    if (before === stream.lastEventId) failures += 1;
    if (failures > (options.retries ?? usualRetries))
      throw new ClientError('NETWORK_ERROR', 'The server ends the stream again and again.', {
        operation: route.id,
        status: 0,
      });
    await sleep(stream.reconnectMs * (0.5 + Math.random()), route.id, options.signal);
  }
}

interface Position {
  lastEventId: string | undefined;
  reconnectMs: number;
  /** Set when the client already has the final state. */
  hasEnded?: true;
}

/** Yields the messages of one connection. */
async function* connection(
  client: Client,
  route: Route,
  request: BuiltRequest,
  options: StreamOptions,
  position: Position,
): AsyncGenerator<ParsedEvent, void, undefined> {
  const headers = { ...request.headers };
  if (position.lastEventId !== undefined) headers['last-event-id'] = position.lastEventId;
  const controller = new AbortController();
  const limitsOf = (timeoutMs: number) => ({ timeoutMs, signal: options.signal });
  const sent = { ...request, headers };
  /** Runs an operation with a time-out that ends the whole connection. */
  const within = <R>(timeoutMs: number, run: () => Promise<R>): Promise<R> =>
    withDeadline(route, sent, limitsOf(timeoutMs), (signal) => {
      signal.addEventListener('abort', () => controller.abort(), { once: true });
      return run();
    });
  try {
    const timeoutMs = options.timeoutMs ?? client.timeoutMs ?? silenceMs;
    const reply = await within(timeoutMs, () => open(client, sent, controller.signal));
    if (reply.status === 204) return void (position.hasEnded = true);
    if (reply.status !== 200 || !reply.body) throw await rejection(route, sent, reply, within);
    const reader = reply.body.getReader();
    const decoder = new TextDecoder();
    const parser = new EventParser();
    for (;;) {
      const { done, value } = await within(silenceMs, () => reader.read());
      if (done) return;
      for (const message of parse(route, parser, decoder.decode(value, { stream: true }))) {
        position.lastEventId = message.id ?? position.lastEventId;
        yield message;
      }
      position.reconnectMs = Math.min(parser.retryMs ?? position.reconnectMs, 60_000);
    }
  } finally {
    controller.abort();
  }
}

function parse({ id: operation }: Route, parser: EventParser, text: string): ParsedEvent[] {
  try {
    return parser.push(text);
  } catch (cause) {
    throw new ClientError('UNEXPECTED_RESPONSE', (cause as Error).message, { operation, status: 200, cause });
  }
}

async function rejection(
  route: Route,
  request: BuiltRequest,
  reply: FetchReply,
  within: <R>(timeoutMs: number, run: () => Promise<R>) => Promise<R>,
): Promise<TollbridgeError> {
  const text = await within(silenceMs, () => reply.text());
  return failureOf(route, request, reply, parseJson(text));
}
