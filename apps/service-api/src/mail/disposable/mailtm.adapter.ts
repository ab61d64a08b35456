import { DomainError } from '@tollbridge/rpc';
import { ProviderClient, ProviderError, type ProviderRequest, readReply } from '@tollbridge/http';
import { randomBytes, randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type {
  DisposableMail,
  MailboxAccount,
  MailboxDomain,
  MailDetails,
  MailSummary,
} from './disposable-mail';
import { readAccount, readDetails, readDomains, readSummaries, readToken } from './mailtm.wire';
import { PacedClient } from '../paced-client';
import { orFailure } from '../provider-failure';

export interface MailtmOptions {
  baseUrl: string;
  requestsPerSecond: number;
  /** Time-out of one request. */
  timeoutMs?: number;
}

const provider = 'mailtm';
const defaultTimeoutMs = 15_000;
const maxConcurrent = 64;
// A list contains summaries. One message may have several megabytes.
const maxReplyBytes = 4 * 1024 * 1024;
const tokenTries = 3;
const tokenRetryMs = 500;
// Characters that sound different when read aloud.
const letters = 'abcdefghjkmnpqrstuvwxyz23456789';
const randomNameLength = 14;

/** mail.tm, mail.gw, and other providers of this protocol. */
export class Mailtm implements DisposableMail {
  private readonly client: PacedClient;

  constructor({ baseUrl, requestsPerSecond, timeoutMs = defaultTimeoutMs }: MailtmOptions) {
    const client = new ProviderClient({ provider, baseUrl, timeoutMs, maxConcurrent, maxReplyBytes });
    this.client = new PacedClient(provider, client, requestsPerSecond);
  }

  domains(signal?: AbortSignal): Promise<MailboxDomain[]> {
    return orFailure(this.readDomains(signal));
  }

  async createAccount(username: string | undefined, signal?: AbortSignal): Promise<MailboxAccount> {
    const name = username?.toLowerCase() ?? randomName();
    const password = randomBytes(18).toString('base64url');
    const account = await this.register(name, password, signal);
    const token = await orFailure(this.tokenOf({ address: account.address, password }, signal));
    return { ...account, password, token };
  }

  messages(token: string, page: number, signal?: AbortSignal): Promise<MailSummary[]> {
    const request = { method: 'GET', path: '/messages', query: { page: String(page) }, signal } as const;
    return this.read(token, request, readSummaries);
  }

  message(token: string, id: string, signal?: AbortSignal): Promise<MailDetails> {
    const path = `/messages/${encodeURIComponent(id)}`;
    return this.read(token, { method: 'GET', path, signal }, readDetails);
  }

  private async readDomains(signal: AbortSignal | undefined): Promise<MailboxDomain[]> {
    const reply = await this.client.request({
      method: 'GET',
      path: '/domains',
      query: { page: '1' },
      signal,
    });
    return readReply(provider, () => readDomains(reply));
  }

  private async register(
    name: string,
    password: string,
    signal: AbortSignal | undefined,
  ): Promise<{ id: string; address: string }> {
    // The domains change, so they are read for each account.
    const [first] = await this.domains(signal);
    if (!first)
      throw new DomainError(
        'UPSTREAM_UNAVAILABLE',
        'The mail provider has no domain for new addresses at present. Retry later.',
      );
    const body = { address: `${name}@${first.domain}`, password };
    const request = { method: 'POST', path: '/accounts', body, changesSomething: true, signal } as const;
    const made = this.client
      .request(request)
      .then((reply) => readReply(provider, () => readAccount(reply), 'unknownOutcome'));
    return orFailure(made, (error) =>
      isTaken(error)
        ? new DomainError('CONFLICT', 'This address is taken. Choose another username.')
        : undefined,
    );
  }

  /** Requests a token with retries: an account is useless without its token, and the request is idempotent. */
  private async tokenOf(
    body: { address: string; password: string },
    signal: AbortSignal | undefined,
  ): Promise<string> {
    for (let left = tokenTries - 1; ; left--) {
      try {
        const reply = await this.client.request({ method: 'POST', path: '/token', body, signal });
        return readReply(provider, () => readToken(reply));
      } catch (error) {
        const mayRepeat = error instanceof ProviderError && error.mayBeRepeated && left > 0;
        if (!mayRepeat || signal?.aborted) throw error;
        await pause(tokenRetryMs);
      }
    }
  }

  private read<T>(token: string, request: ProviderRequest, read: (reply: unknown) => T): Promise<T> {
    const headers = { authorization: `Bearer ${token}` };
    const asked = this.client
      .request({ ...request, headers })
      .then((reply) => readReply(provider, () => read(reply)));
    return orFailure(asked, ({ status }) => {
      if (status === 401 || status === 403) return badToken();
      return status === 404
        ? new DomainError('NOT_FOUND', 'The mailbox has no message with this id.')
        : undefined;
    });
  }
}

export const badToken = (): DomainError =>
  new DomainError(
    'UNAUTHORIZED',
    'The e-mail token is missing, expired or malformed. Send the token of the account as x-email-token.',
    {
      details: { reason: 'email_token' },
    },
  );

function isTaken({ status, body }: ProviderError): boolean {
  const { detail } = (body ?? {}) as { detail?: unknown };
  return status === 422 && typeof detail === 'string' && /already used/i.test(detail);
}

function randomName(): string {
  return Array.from({ length: randomNameLength }, () => letters[randomInt(letters.length)]).join('');
}
