import { DomainError } from '@tollbridge/rpc';
import { ProviderClient, type ProviderError, readReply, readFields } from '@tollbridge/http';
import { messageDeclined } from '../agents/agentmail.adapter';
import { PacedClient } from '../paced-client';
import { orFailure } from '../provider-failure';
import { nameOf } from '../read-fields';

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
// The provider's rate limit of a team.
export const defaultRequestsPerSecond = 5;

/** Mail from the deployment's own domain, sent by Resend. */
export class Resend {
  private readonly client: PacedClient;

  constructor(options: ResendOptions) {
    const { baseUrl, apiKey, timeoutMs = defaultTimeoutMs } = options;
    // Without a user agent, the provider replies with 403.
    const headers = { authorization: `Bearer ${apiKey}`, 'user-agent': 'tollbridge' };
    const client = new ProviderClient({ provider, baseUrl, headers, timeoutMs });
    const { requestsPerSecond = defaultRequestsPerSecond } = options;
    this.client = new PacedClient(provider, client, requestsPerSecond);
  }

  /**
   * Sends one request. The provider sends one mail per idempotency key and day.
   * @throws DomainError OUTCOME_UNKNOWN when the reply was lost, PURCHASE_REFUSED when the provider declined
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
        readReply(
          provider,
          () => ({ id: nameOf(readFields(reply, 'the mail'), 'id', 64) }),
          'unknownOutcome',
        ),
      );
    return orFailure(asked, convertRejection);
  }
}

/** A rejected key or domain (401, 403) is a fault of this deployment, reported as an outage. */
function convertRejection({ status }: ProviderError): DomainError | undefined {
  // Another request with this key is in progress or had other content, so the mail was sent or will be sent.
  if (status === 409)
    return new DomainError('OUTCOME_UNKNOWN', 'The message is being sent. Repeat the call in a few seconds.');
  return status === 400 || status === 422 || status === 451 ? messageDeclined() : undefined;
}
