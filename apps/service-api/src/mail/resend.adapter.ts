import { DomainError } from '@tollbridge/rpc';
import { ProviderClient, type ProviderError, fieldsOf, readReply } from '@tollbridge/http';
import { messageRefused } from './agentmail.adapter';
import { PacedClient } from './paced-client';
import { orFailure } from './provider-failure';
import { nameOf } from './read-fields';

export interface ResendOptions {
  baseUrl: string;
  apiKey: string;
  requestsPerSecond?: number;
  timeoutMs?: number;
}

export interface OutgoingMail {
  from: string;
  to: string;
  subject: string;
  text?: string;
  html?: string;
}

const provider = 'resend';
const defaultTimeoutMs = 30_000;
// Of the team, as the provider counts.
export const defaultRequestsPerSecond = 5;

/** Mail from an own domain, by Resend. */
export class Resend {
  private readonly client: PacedClient;

  constructor(options: ResendOptions) {
    const { baseUrl, apiKey, timeoutMs = defaultTimeoutMs } = options;
    // Without a name it answers 403.
    const headers = { authorization: `Bearer ${apiKey}`, 'user-agent': 'tollbridge' };
    const client = new ProviderClient({ provider, baseUrl, headers, timeoutMs });
    const { requestsPerSecond = defaultRequestsPerSecond } = options;
    this.client = new PacedClient(provider, client, requestsPerSecond);
  }

  /**
   * Asks once. Under the same key a repetition within a day is not sent again.
   * @throws DomainError OUTCOME_UNKNOWN when the answer was lost, PURCHASE_REFUSED when it does not send this
   */
  send({ to, ...mail }: OutgoingMail, idempotencyKey: string | undefined): Promise<{ id: string }> {
    const asked = this.client
      .request({
        method: 'POST',
        path: '/emails',
        body: { ...mail, to: [to] },
        ...(idempotencyKey !== undefined && { headers: { 'idempotency-key': idempotencyKey } }),
        changesSomething: true,
      })
      .then((reply) =>
        readReply(provider, () => ({ id: nameOf(fieldsOf(reply, 'the mail'), 'id', 64) }), 'unknownOutcome'),
      );
    return orFailure(asked, sendRefusal);
  }
}

/** A key or domain that it does not take (401, 403) is our own fault, and told as if it were away. */
function sendRefusal({ status }: ProviderError): DomainError | undefined {
  // Under this key a call is being served, or one with another content was: something is sent, or will be.
  if (status === 409)
    return new DomainError('OUTCOME_UNKNOWN', 'The message is being sent. Repeat the call in a few seconds.');
  return status === 400 || status === 422 || status === 451 ? messageRefused() : undefined;
}
