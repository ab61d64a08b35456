import type { BuiltRequest } from './build-request';
import type { CallOptions } from './call';
import type { Client, FetchReply } from './client';
import { ClientError, invalidArgument } from './errors';
import { aborted } from './retry';
import type { Route } from './route';

export interface Reply {
  status: number;
  headers: { get(name: string): string | null };
  text: string;
}

const usualTimeoutMs = 30_000;

/** Sends one attempt of a request and reads the reply. @throws ClientError `NETWORK_ERROR`, `TIMEOUT`, `ABORTED` */
export async function attemptOnce(
  client: Client,
  route: Route,
  request: BuiltRequest,
  options: CallOptions,
): Promise<Reply> {
  const timeoutMs = options.timeoutMs ?? client.timeoutMs ?? route.timeoutMs ?? usualTimeoutMs;
  return withDeadline(route, request, { timeoutMs, signal: options.signal }, async (signal) => {
    const { status, headers, text } = await open(client, request, signal).then(async (reply) => ({
      status: reply.status,
      headers: reply.headers,
      text: await reply.text(),
    }));
    return { status, headers, text };
  });
}

/** Sends the request, without reading the body of the reply. */
export function open(client: Client, request: BuiltRequest, signal: AbortSignal): Promise<FetchReply> {
  const { url, method, headers, body } = request;
  const send = client.fetch ?? (globalThis.fetch as unknown as Client['fetch'])!;
  return send(url, {
    method,
    headers,
    ...(body !== undefined && { body }),
    signal,
    // Redirects are not followed, because the credentials are only for this address.
    redirect: 'manual',
  });
}

interface Limits {
  timeoutMs: number;
  signal: AbortSignal | undefined;
}

/** Runs a part of a call with a signal that ends it. Every error becomes a `ClientError` with the reason. */
export async function withDeadline<T>(
  { id: operation }: Route,
  { idempotencyKey, headers }: BuiltRequest,
  { timeoutMs, signal }: Limits,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (signal?.aborted) throw aborted(operation, signal, idempotencyKey);
  checkHeaders(operation, headers);
  const controller = new AbortController();
  const stop = () => controller.abort();
  signal?.addEventListener('abort', stop, { once: true });
  let isLate = false;
  const late = () => {
    isLate = true;
    controller.abort();
  };
  const timer = timeoutMs > 0 ? setTimeout(late, timeoutMs) : undefined;
  try {
    return await run(controller.signal);
  } catch (cause) {
    if (signal?.aborted) throw aborted(operation, signal, idempotencyKey);
    const facts = { operation, status: 0, idempotencyKey };
    if (isLate) throw new ClientError('TIMEOUT', `No reply within ${timeoutMs} ms.`, facts);
    throw new ClientError('NETWORK_ERROR', 'The server cannot be reached, or closed the connection.', {
      ...facts,
      cause,
    });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}

/** Rejects invalid header values. `fetch` would fail with a message that contains the value, which may be a secret. */
function checkHeaders(operation: string, headers: Record<string, string>): void {
  for (const [name, value] of Object.entries(headers))
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
      throw invalidArgument(
        operation,
        `The header ${name} contains a character that is not allowed in headers.`,
      );
}
