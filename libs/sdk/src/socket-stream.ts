import type { Client } from './client';
import { ApiError, ClientError, invalidArgument } from './errors';
import type { ErrorCode } from './generated/errors';
import { parseJson } from './parse-reply';
import { aborted, retryDelayMs, sleep } from './retry';

export interface SocketOptions {
  signal?: AbortSignal | undefined;
  /** Maximum reconnections in a row without a message, before the stream throws. Default 10. */
  retries?: number | undefined;
}

export interface SocketRoute {
  id: string;
  path: string;
  /** HTTP status of each error code on the socket. */
  errors: Readonly<Record<string, number>>;
  /** Type of the messages that contain the state. */
  update: string;
  /** Names of the final states. */
  final: readonly string[];
}

const usualRetries = 10;
const silenceMs = 45_000;
const pingMs = 20_000;

type Item = { message: Record<string, unknown> } | { closed: true };

/**
 * Subscribes to a channel and yields each newer state, up to a final state. A subscription ends with its socket. After
 * a lost connection it is renewed, and states that were already yielded are skipped.
 */
export async function* socketStream<T>(
  client: Client,
  route: SocketRoute,
  subscription: object,
  options: SocketOptions = {},
): AsyncGenerator<T, void, undefined> {
  let version = -1;
  for (let failures = 0; ;) {
    const socket = new Connection(client, route, { action: 'subscribe', ...subscription }, options.signal);
    try {
      for await (const message of socket.messages()) {
        const data = message['data'] as { version: number; status: string } | undefined;
        if (message['type'] === 'error') throw errorOf(route, message['error']);
        if (message['type'] !== route.update || !data) continue;
        failures = 0;
        if (data.version > version) yield data as T;
        version = Math.max(version, data.version);
        if (route.final.includes(data.status)) return;
      }
      throw new ClientError('NETWORK_ERROR', 'The server closed the socket.', {
        operation: route.id,
        status: 0,
      });
    } catch (error) {
      const waitMs = retryDelayMs(error as ClientError, failures);
      if (waitMs === undefined || failures >= (options.retries ?? usualRetries)) throw error;
      failures += 1;
      await sleep(waitMs, route.id, options.signal);
    } finally {
      socket.close();
    }
  }
}

function errorOf(route: SocketRoute, error: unknown): ApiError | ClientError {
  const { code, message } = (error ?? {}) as { code?: string; message?: string };
  const status = route.errors[code ?? ''];
  const facts = { operation: route.id, status: status ?? 0 };
  return status === undefined
    ? new ClientError('UNEXPECTED_RESPONSE', `Unexpected message of the socket: ${code}`, facts)
    : new ApiError(code as ErrorCode, message ?? code!, undefined, facts);
}

/** One socket with its messages in order. */
class Connection {
  private readonly socket;
  private readonly items: Item[] = [];
  private wake: (() => void) | undefined;
  private ping: ReturnType<typeof setInterval> | undefined;
  private receivedMs = Date.now();
  private readonly stop = () => this.take({ closed: true });

  constructor(
    client: Client,
    private readonly route: SocketRoute,
    subscription: object,
    private readonly signal: AbortSignal | undefined,
  ) {
    const { WebSocket } = globalThis as unknown as { WebSocket?: Client['WebSocket'] };
    const Socket = client.WebSocket ?? WebSocket;
    if (!Socket)
      throw invalidArgument(route.id, 'No WebSocket here: pass that of the package ws to createClient.');
    if (signal?.aborted) throw aborted(route.id, signal);
    this.socket = new Socket(client.baseUrl.replace(/^http/i, 'ws') + route.path);
    this.socket.onopen = () => this.socket.send(JSON.stringify(subscription));
    this.socket.onmessage = ({ data }: { data: unknown }) => this.read(String(data));
    this.socket.onclose = this.stop;
    // A close event follows. Without a handler the package `ws` would throw.
    this.socket.onerror = this.stop;
    this.ping = setInterval(() => this.check(), pingMs);
    signal?.addEventListener('abort', this.stop, { once: true });
  }

  async *messages(): AsyncGenerator<Record<string, unknown>, void, undefined> {
    for (;;) {
      const item = this.items.shift();
      if (this.signal?.aborted) throw aborted(this.route.id, this.signal);
      if (item === undefined) await new Promise<void>((resolve) => (this.wake = resolve));
      else if ('closed' in item) return;
      else yield item.message;
    }
  }

  close(): void {
    clearInterval(this.ping);
    this.signal?.removeEventListener('abort', this.stop);
    this.socket.onmessage = null;
    this.socket.onopen = null;
    this.socket.onclose = null;
    // The package `ws` emits an error when a connecting socket is closed.
    this.socket.onerror = () => undefined;
    this.socket.close();
  }

  private read(text: string): void {
    this.receivedMs = Date.now();
    const message = parseJson(text);
    if (typeof message === 'object' && message !== null)
      this.take({ message: message as Record<string, unknown> });
  }

  /** Closes a silent connection, because a connection can be lost without an event. */
  private check(): void {
    if (Date.now() - this.receivedMs > silenceMs) return this.take({ closed: true });
    try {
      this.socket.send('{"action":"ping"}');
    } catch {
      // The socket is not open yet, so it counts as silent.
    }
  }

  private take(item: Item): void {
    this.items.push(item);
    this.wake?.();
  }
}
