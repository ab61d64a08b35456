import { ProviderClient, ProviderError, readReply, type ProviderRequest } from '@tollbridge/http';
import { readToncenterResult, toncenterBody } from '../toncenter-reply';
import type { NodeUrl } from './node-url';

export const provider = 'toncenter';
const timeoutMs = 10_000;
const maxConcurrent = 8;
const maxReplyBytes = 16 * 1024 * 1024;
// Status codes of the provider, not of the chain: a wrong, missing, unpaid or blocked key, or a node without an index.
// Other providers may answer.
const gatewayRejections = new Set([401, 402, 403, 404, 405, 407]);

export type ReplyLimit = Pick<ProviderRequest, 'maxReplyBytes'>;

/**
 * HTTP client for a node with toncenter's API. All methods throw `ProviderError`, or `OversizedReply` for a reply above
 * the given limit.
 */
export class NodeClient {
  private readonly client: ProviderClient;

  constructor({ baseUrl, headers }: NodeUrl) {
    this.client = new ProviderClient({ provider, baseUrl, headers, timeoutMs, maxReplyBytes, maxConcurrent });
  }

  /** Returns the result of a method of the JSON-RPC (api/v2). */
  async call<T>(
    method: string,
    params: object,
    read: (result: unknown) => T,
    limit: ReplyLimit = {},
  ): Promise<T> {
    const body = toncenterBody(method, params);
    const reply = await this.request({ method: 'POST', path: '/api/v2/jsonRPC', body, ...limit });
    return readReply(provider, () => read(readToncenterResult(reply)));
  }

  /** Returns the reply of a path of the index (api/v3). */
  async get<T>(
    path: string,
    query: Readonly<Record<string, string | undefined>>,
    read: (reply: unknown) => T,
    limit: ReplyLimit = {},
  ): Promise<T> {
    const reply = await this.request({ method: 'GET', path: `/api/v3${path}`, query, ...limit });
    return readReply(provider, () => read(reply));
  }

  private async request(request: ProviderRequest): Promise<unknown> {
    try {
      return await this.client.request(request);
    } catch (error) {
      if (!(error instanceof ProviderError) || !gatewayRejections.has(error.status ?? 0)) throw error;
      const status = error.status!;
      const message = `answered ${status}`;
      throw new ProviderError(provider, { kind: 'unavailable', message, status, cause: error });
    }
  }
}

export const badReply = (message: string): ProviderError =>
  new ProviderError(provider, { kind: 'badReply', message });
