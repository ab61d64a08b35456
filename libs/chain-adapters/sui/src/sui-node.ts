import {
  ProviderClient,
  ProviderError,
  readReply,
  type SendHttp,
  type Fields,
  UnreadableReply,
  readFields,
} from '@tollbridge/http';
import { RangeLimit } from '@tollbridge/chain-nodes';
import { nodeAddress } from './node-address';
import { readShortText } from './wire-fields';

export interface SuiNodeOptions {
  /** URL of the GraphQL RPC, for example `https://graphql.mainnet.sui.io/graphql`. */
  url: string;
  /** First four bytes of the digest of the network's genesis checkpoint, in hexadecimal. */
  chainIdentifier: string;
  /** Time-out of each request, including the last byte of the reply. */
  timeoutMs?: number;
  fetch?: SendHttp;
}

const provider = 'sui';
const defaultTimeoutMs = 10_000;
// 50 events of 2 KB have 100 KB. The types of 50 events and 50 coins in one hostile transaction have about 8 MB.
const maxReplyBytes = 16 * 1024 * 1024;
const maxConcurrent = 8;

/**
 * Client for a node's GraphQL RPC. Every request also asks for the network, so that an answer of another network is
 * never used. All methods throw a `ProviderError`. Its kind is never `rejected`, because the queries are fixed and
 * another node may answer them.
 */
export class SuiNode {
  /** The node's limit for a page of events. */
  readonly ranges = new RangeLimit();
  private readonly client: ProviderClient;
  private readonly chainIdentifier: string;

  constructor({ url, chainIdentifier, timeoutMs = defaultTimeoutMs, fetch }: SuiNodeOptions) {
    this.chainIdentifier = chainIdentifier;
    this.client = new ProviderClient({
      provider,
      ...nodeAddress(url),
      timeoutMs,
      maxReplyBytes,
      maxConcurrent,
      ...(fetch ? { fetch } : {}),
    });
  }

  /**
   * @param body the text between the braces of the query, and fragments after a blank line
   * @param declared types of the variables, for example `$digest: String!`
   */
  async ask<T>(
    { declared, body, fragments = '' }: { declared?: string; body: string; fragments?: string },
    variables: Fields,
    read: (data: Fields) => T,
  ): Promise<T> {
    const head = declared === undefined ? 'query' : `query (${declared})`;
    const query = `${head} { chainIdentifier ${body} } ${fragments}`;
    const reply = await this.post({ query, variables });
    return readReply(provider, () => {
      const { data, errors } = readFields(reply, 'the reply');
      if (errors !== undefined && errors !== null) throw new UnreadableReply('the query returned errors');
      const fields = readFields(data, 'data');
      const network = readShortText(fields['chainIdentifier'], 'chainIdentifier');
      if (network !== this.chainIdentifier)
        throw new UnreadableReply(
          `the node serves network ${network.slice(0, 20)}, not ${this.chainIdentifier}`,
        );
      return read(fields);
    });
  }

  private async post(body: object): Promise<unknown> {
    try {
      return await this.client.request({ method: 'POST', path: '', body });
    } catch (error) {
      if (!(error instanceof ProviderError) || error.kind !== 'rejected') throw error;
      const message = `rejected a query with status ${error.status}`;
      const { status } = error;
      throw new ProviderError(provider, {
        kind: 'unavailable',
        message,
        cause: error,
        ...(status !== undefined && { status }),
      });
    }
  }
}
