import { DomainError } from '@tollbridge/rpc';
import { ProviderClient, ProviderError } from '@tollbridge/http';
import { recordOf } from '../numbers/checked-json';
import type { ListedMessage, SentMessage, TextMessage, TextMessages } from '../send/text-messages';
import { accountCodes, declines } from './declines';

const provider = 'twilio';
const [sendTimeoutMs, readTimeoutMs] = [30_000, 10_000];
// Maximum of concurrent requests. The queue is four times as long.
const maxConcurrent = 64;
// More messages than one recipient receives until a lost message is looked up.
const listedAtOnce = 100;

export interface TwilioOptions {
  url: string;
  accountSid: string;
  authToken: string;
  /** A number, or the sid of a messaging service. */
  from: string;
  /** URL of the status callback; undefined requests no callback. */
  callbackUrl?: string | undefined;
}

/** Client of Twilio's Programmable Messaging. */
export class Twilio implements TextMessages {
  readonly name = provider;
  private readonly client: ProviderClient;
  private readonly path: string;

  constructor(private readonly options: TwilioOptions) {
    const { url, accountSid, authToken } = options;
    const credentials = Buffer.from(`${accountSid}:${authToken}`).toString('base64');
    this.path = `/2010-04-01/Accounts/${accountSid}/Messages.json`;
    this.client = new ProviderClient({
      provider,
      baseUrl: url,
      timeoutMs: readTimeoutMs,
      maxConcurrent,
      headers: { authorization: `Basic ${credentials}` },
    });
  }

  async send({ to, body }: TextMessage, maxUsd: string): Promise<SentMessage> {
    const { from, callbackUrl } = this.options;
    const sender = from.startsWith('MG') ? { MessagingServiceSid: from } : { From: from };
    const callback = callbackUrl === undefined ? {} : { StatusCallback: callbackUrl };
    const form = { To: to, Body: body, MaxPrice: maxUsd, ...sender, ...callback };
    const request = { method: 'POST', path: this.path, form, changesSomething: true } as const;
    let reply: unknown;
    try {
      reply = await this.client.request({ ...request, timeoutMs: sendTimeoutMs });
    } catch (error) {
      throw error instanceof ProviderError ? rejectionOf(error) : error;
    }
    const message = readMessage(reply);
    // Twilio accepted the message, but its id is unknown.
    if (!message)
      throw new ProviderError(provider, { kind: 'unknownOutcome', message: 'the reply is not a message' });
    return message;
  }

  async lastTo(to: string): Promise<{ messages: ListedMessage[]; isWhole: boolean }> {
    const query = { To: to, PageSize: String(listedAtOnce) };
    const { messages } = recordOf(await this.client.request({ method: 'GET', path: this.path, query }));
    if (!Array.isArray(messages))
      throw new ProviderError(provider, { kind: 'badReply', message: 'the reply is not a list' });
    return { messages: messages.flatMap(readListed), isWhole: messages.length < listedAtOnce };
  }
}

function readMessage(value: unknown): SentMessage | undefined {
  const { sid, status } = recordOf(value);
  const isMessage =
    typeof sid === 'string' &&
    /^(SM|MM)[0-9a-f]{32}$/.test(sid) &&
    typeof status === 'string' &&
    /^[a-z_]{1,32}$/.test(status);
  return isMessage ? { sid, status } : undefined;
}

function readListed(value: unknown): ListedMessage[] {
  const message = readMessage(value);
  const { body, date_created: created } = recordOf(value);
  const createdAtMs = Date.parse(String(created));
  if (!message || typeof body !== 'string' || Number.isNaN(createdAtMs)) return [];
  return [{ ...message, body, createdAtMs }];
}

/** Reads only the error code, because the error text may quote the message. */
function rejectionOf(error: ProviderError): Error {
  if (error.kind !== 'rejected') return error;
  const { code } = recordOf(error.body);
  const decline = declines.get(Number(code));
  if (decline)
    return new DomainError('PURCHASE_REFUSED', decline[1], { details: { reason: decline[0] }, cause: error });
  const isOurs = accountCodes.includes(Number(code)) || error.status === 401 || error.status === 403;
  return isOurs
    ? new ProviderError(provider, { kind: 'unavailable', message: `rejected this account: ${Number(code)}` })
    : error;
}
