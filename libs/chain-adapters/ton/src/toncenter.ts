import { fieldsOf, ProviderClient, readReply, UnreadableReply } from '@tollbridge/http';
import { loadTonweb, type TonwebProvider } from './load';

export interface ToncenterOptions {
  /** Of the JSON-RPC itself, such as `https://toncenter.com/api/v2/jsonRPC`. */
  url: string;
  /** Without it toncenter answers one request in a second. */
  apiKey?: string | undefined;
  /** For each request, from the call to the last byte of the answer. */
  timeoutMs?: number;
}

const provider = 'toncenter';
const defaultTimeoutMs = 10_000;
// A page of transactions of a wallet that pays 254 in one of them has a megabyte or two.
const maxReplyBytes = 16 * 1024 * 1024;
const maxConcurrent = 8;
// What a lite server says of a message that the account does not take, in toncenter's words. It was thrown away.
const rejectedMessage = /cannot apply external message|external message was not accepted/i;

/**
 * Toncenter's JSON-RPC as `tonweb` speaks it, but over our own HTTP: bounded in time, size and number, and with each
 * failure classified, none of which `tonweb` does by itself.
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

  /** `tonweb`'s provider: its methods and their parameters, sent by us. */
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
    const body = { id: '1', jsonrpc: '2.0', method, params };
    const reply = await this.client.request({ method: 'POST', path: '', body, changesSomething });
    const kind = changesSomething ? 'unknownOutcome' : 'badReply';
    return readReply(
      provider,
      () => {
        const { ok, result } = fieldsOf(reply, 'the reply');
        if (ok !== true || result === undefined) throw new UnreadableReply('there is no result');
        return result;
      },
      kind,
    );
  }
}

/** Toncenter answers 500 to a message that was rejected: of all 5xx this one leaves nothing unknown. */
function isRejectedMessage(_status: number, body: unknown): boolean {
  const said = (body as { error?: unknown } | null | undefined)?.error;
  return typeof said === 'string' && rejectedMessage.test(said);
}
