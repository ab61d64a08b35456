import { ProviderClient, readReply } from '@tollbridge/http';
import { loadTonweb, type TonwebProvider } from './load';
import { readToncenterResult, toncenterBody } from './toncenter-reply';

export interface ToncenterOptions {
  /** URL of the JSON-RPC, for example `https://toncenter.com/api/v2/jsonRPC`. */
  url: string;
  /** Without a key toncenter limits clients to one request a second. */
  apiKey?: string | undefined;
  /** Time-out of each request, including the last byte of the reply. */
  timeoutMs?: number;
}

const provider = 'toncenter';
const defaultTimeoutMs = 10_000;
// A page of transactions with batches of 254 payments has one to two megabytes.
const maxReplyBytes = 16 * 1024 * 1024;
const maxConcurrent = 8;
// Toncenter's error for a message that the account rejects. The lite server has dropped the message.
const rejectedMessage = /cannot apply external message|external message was not accepted/i;

/**
 * A provider for `tonweb` that calls toncenter's JSON-RPC over our own HTTP client. Unlike `tonweb`, the client bounds
 * time, size and number of requests, and classifies failures.
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

  /** Returns the `tonweb` provider, which sends requests through this class. */
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

/** Toncenter returns 500 for a rejected message. Unlike for other 5xx statuses, the outcome is known. */
function isRejectedMessage(_status: number, body: unknown): boolean {
  const message = (body as { error?: unknown } | null | undefined)?.error;
  return typeof message === 'string' && rejectedMessage.test(message);
}
