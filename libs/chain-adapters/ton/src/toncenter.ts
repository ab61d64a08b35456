import { ProviderClient, readReply } from '@tollbridge/http';
import { loadTonweb, type TonwebProvider } from './load';
import { readToncenterResult, toncenterBody } from './toncenter-reply';

export interface ToncenterOptions {
  /** URL of the JSON-RPC, such as `https://toncenter.com/api/v2/jsonRPC`. */
  url: string;
  /** Without a key toncenter limits clients to one request a second. */
  apiKey?: string | undefined;
  /** Timeout of each request, until the last byte of the reply. */
  timeoutMs?: number;
}

const provider = 'toncenter';
const defaultTimeoutMs = 10_000;
// A page of transactions with batches of 254 payments has one to two megabytes.
const maxReplyBytes = 16 * 1024 * 1024;
const maxConcurrent = 8;
// toncenter's error for a message that the account rejects; the lite server has dropped it.
const rejectedMessage = /cannot apply external message|external message was not accepted/i;

/**
 * The provider of `tonweb` for toncenter's JSON-RPC over our own HTTP client. The client bounds time, size and number
 * of requests and classifies failures; `tonweb` does neither.
 */
export class Toncenter {
  private readonly client: ProviderClient;
  private provider: Promise<TonwebProvider> | undefined;

  constructor({ url, apiKey, timeoutMs = defaultTimeoutMs }: ToncenterOptions) {
    const headers = apiKey === undefined ? {} : { 'x-api-key': apiKey };
    this.client = new ProviderClient({
      provider,
      baseUrl: url,
      headers,
      timeoutMs,
      maxReplyBytes,
      maxConcurrent,
      isRejection: isRejectedMessage,
    });
  }

  /** The method of the `tonweb` provider interface that sends a request. */
  tonweb(): Promise<TonwebProvider> {
    this.provider ??= loadTonweb().then(({ HttpProvider }) => {
      const tonweb = new HttpProvider('');
      tonweb.send = (method, params) => this.call(method, params);
      return tonweb;
    });
    return this.provider;
  }

  private async call(method: string, params: object): Promise<unknown> {
    const changesSomething = method.startsWith('sendBoc');
    const body = toncenterBody(method, params);
    const reply = await this.client.request({ method: 'POST', path: '', body, changesSomething });
    const kind = changesSomething ? 'unknownOutcome' : 'badReply';
    return readReply(provider, () => readToncenterResult(reply), kind);
  }
}

/** Toncenter replies 500 to a rejected message: unlike other 5xx, its outcome is known. */
function isRejectedMessage(_status: number, body: unknown): boolean {
  const message = (body as { error?: unknown } | null | undefined)?.error;
  return typeof message === 'string' && rejectedMessage.test(message);
}
