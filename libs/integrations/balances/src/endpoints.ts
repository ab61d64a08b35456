import { ProviderClient, ProviderError, type ProviderRequest, parseExactJson } from '@tollbridge/http';
import { ReadFailure } from './read-failure';

export interface EndpointsOptions {
  /** For errors: the chain's id. */
  chain: string;
  /** In order of preference. */
  urls: readonly string[];
  headers?: Readonly<Record<string, string>>;
  /** For all URLs together. */
  timeoutMs: number;
}

/** Turns a reply into a value; throws `UnreadableReply` for an invalid reply. */
export type ReadReply<T> = (reply: unknown) => T;
/** The same for a 4xx that is an answer, such as "no such account"; undefined when it is not. */
export type ReadRejection<T> = (rejection: ProviderError) => T | undefined;

interface Endpoint {
  client: ProviderClient;
  /** The source's Retry-After. */
  restsUntilMs: number;
}

// The largest replies are Solana's token accounts, 600 bytes each: thousands of them are dust that strangers sent.
const maxReplyBytes = 4 * 1024 * 1024;
// Public sources allow a few requests a second; more at once only get rejected.
const maxConcurrent = 8;
// Without a Retry-After: the usual window of a limit is a second.
const defaultRestMs = 1_000;
// Time left for parsing and checks.
const shareOfTime = 0.9;

/** Several URLs of one protocol: after a failure or an invalid reply of one, the next is asked. */
export class Endpoints {
  private readonly endpoints: readonly Endpoint[];

  constructor({ chain, urls, headers = {}, timeoutMs }: EndpointsOptions) {
    this.endpoints = urls.map((baseUrl, index) => ({
      client: new ProviderClient({
        // Names the source by its number: a URL may hold a key.
        provider: `${chain} source ${index + 1}`,
        baseUrl,
        headers,
        // A silent first URL must leave time for the others.
        timeoutMs: Math.floor((timeoutMs * shareOfTime) / urls.length),
        maxReplyBytes,
        maxConcurrent,
        parseJson: parseExactJson,
      }),
      restsUntilMs: 0,
    }));
  }

  async ask<T>(
    request: ProviderRequest,
    read: ReadReply<T>,
    readRejection: ReadRejection<T> = () => undefined,
  ): Promise<T> {
    let failure: unknown;
    for (const [index, endpoint] of this.endpoints.entries()) {
      if (Date.now() < endpoint.restsUntilMs) {
        failure ??= new ReadFailure(`source ${index + 1} asked to be left alone for some time`);
        continue;
      }
      try {
        return await this.exchange(endpoint, request, read, readRejection);
      } catch (error) {
        if (request.signal?.aborted) throw error;
        failure = error;
      }
    }
    throw failure;
  }

  private async exchange<T>(
    endpoint: Endpoint,
    request: ProviderRequest,
    read: ReadReply<T>,
    readRejection: ReadRejection<T>,
  ): Promise<T> {
    try {
      return read(await endpoint.client.request(request));
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      if (error.kind === 'rateLimited')
        endpoint.restsUntilMs = Date.now() + (error.retryAfterMs ?? defaultRestMs);
      const answer = error.kind === 'rejected' ? readRejection(error) : undefined;
      if (answer === undefined) throw error;
      return answer;
    }
  }
}
