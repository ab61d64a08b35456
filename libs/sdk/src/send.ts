import { attemptOnce, type Reply } from './attempt';
import { buildRequest } from './build-request';
import type { Call, CallOptions } from './call';
import type { Client } from './client';
import type { TollbridgeError } from './errors';
import { parseReply } from './parse-reply';
import { retryDelayMs, sleep, usualRetries } from './retry';
import type { Input, Route } from './route';

/** The parsed body of a successful reply, with its headers. */
export interface ReadReply {
  value: unknown;
  headers: Reply['headers'];
}

/** Calls an operation. */
export function send<T, E extends TollbridgeError>(
  client: Client,
  route: Route,
  input: object = {},
  options: CallOptions = {},
): Call<T, E> {
  return exchange(client, route, input as Input, options).then(({ value }) => value as T);
}

/** Sends a request, and retries it if that is safe and useful. @throws TollbridgeError */
export async function exchange(
  client: Client,
  route: Route,
  input: Input,
  options: CallOptions,
): Promise<ReadReply> {
  const request = await buildRequest(client, route, input, options);
  const canRepeat = route.method === 'GET' || route.isRead || request.idempotencyKey !== undefined;
  const retries = canRepeat ? (options.retries ?? client.retries ?? usualRetries) : 0;
  for (let retried = 0; ; retried++) {
    try {
      const reply = await attemptOnce(client, route, request, options);
      const value = parseReply(route, request, reply);
      options.onReply?.({
        status: reply.status,
        requestId: reply.headers.get('x-request-id') ?? undefined,
        isReplayed: reply.headers.get('idempotent-replayed') === 'true',
        attempts: retried + 1,
        headers: reply.headers,
      });
      return { value, headers: reply.headers };
    } catch (error) {
      const waitMs = retried < retries ? retryDelayMs(error as TollbridgeError, retried) : undefined;
      if (waitMs === undefined) throw error;
      await sleep(waitMs, route.id, options.signal);
    }
  }
}
