import { ProviderClient, ProviderError, type ProviderRequest, parseExactJson } from '@tollbridge/http';
import { ReadFailure } from './read-failure';

export interface EndpointsOptions {
  /** The chain's id, for errors. */
  chain: string;
  /** In order of preference. */
  urls: readonly string[];
  headers?: Readonly<Record<string, string>>;
  /** Time limit for all URLs together. */
  timeoutMs: number;
}

/** Parses a reply. Throws `UnreadableReply` for an invalid reply. */
export type ReadReply<T> = (reply: unknown) => T;
/** Parses a 4xx reply that is an answer, for example "no such account". Returns undefined for any other rejection. */
export type ReadRejection<T> = (rejection: ProviderError) => T | undefined;

interface Endpoint {
  client: ProviderClient;
  /** End of the pause from the source's Retry-After. */
  restsUntilMs: number;
}

// The largest replies are lists of Solana's token accounts with 600 bytes each. A wallet may have thousands, most of
// them dust from third parties.
const maxReplyBytes = 4 * 1024 * 1024;
// Public sources allow a few requests per second and reject more concurrent ones.
const maxConcurrent = 8;
// Pause without a Retry-After. The usual window of a rate limit is a second.
const defaultRestMs = 1_000;
// The rest of the time is for parsing and checks.
const shareOfTime = 0.9;

/** Several URLs of one protocol. After a failure or an invalid reply of one URL, the next is used. */
export class Endpoints {
  private readonly endpoints: readonly Endpoint[];

  constructor({ chain, urls, headers = {}, timeoutMs }: EndpointsOptions) {
    this.endpoints = urls.map((baseUrl, index) => ({
      client: new ProviderClient({
        // Identifies the source by its number, because a URL may contain a key.
        provider: `${chain} source ${index + 1}`,
        baseUrl,
        headers,
        // Leaves time for the other URLs if the first one does not answer.
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
