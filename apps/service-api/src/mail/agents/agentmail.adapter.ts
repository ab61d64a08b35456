import { DomainError } from '@tollbridge/rpc';
import { ProviderClient, type ProviderError, readReply, readFields } from '@tollbridge/http';
import { orFailure } from '../provider-failure';
import { nameOf, timeOf } from '../read-fields';

export interface AgentmailOptions {
  baseUrl: string;
  apiKey: string;
  timeoutMs?: number;
}

export interface NewInbox {
  username: string;
  displayName: string;
  /** Idempotency key of the inbox. */
  clientId: string;
}

export interface Letter {
  to: string;
  subject: string;
  text: string;
}

const provider = 'agentmail';
const defaultTimeoutMs = 30_000;

/** Permanent inboxes at AgentMail. */
export class Agentmail {
  private readonly client: ProviderClient;

  constructor({ baseUrl, apiKey, timeoutMs = defaultTimeoutMs }: AgentmailOptions) {
    const headers = { authorization: `Bearer ${apiKey}` };
    this.client = new ProviderClient({ provider, baseUrl, headers, timeoutMs });
  }

  /** @throws DomainError CONFLICT when the name is taken */
  createInbox({
    username,
    displayName,
    clientId,
  }: NewInbox): Promise<{ inboxId: string; createdAt: string }> {
    const body = { username, display_name: displayName, client_id: clientId };
    const asked = this.client
      .request({ method: 'POST', path: '/v0/inboxes', body, changesSomething: true })
      .then((reply) => {
        const read = () => {
          const fields = readFields(reply, 'the inbox');
          return {
            inboxId: nameOf(fields, 'inbox_id', 254).toLowerCase(),
            createdAt: timeOf(fields, 'created_at'),
          };
        };
        return readReply(provider, read, 'unknownOutcome');
      });
    return orFailure(asked, (error) => (isTaken(error) ? nameTaken() : undefined));
  }

  /**
   * Sends one request. The provider sends one message per idempotency key.
   * @throws DomainError OUTCOME_UNKNOWN when the reply was lost, PURCHASE_REFUSED when the provider declined
   */
  send(
    inboxId: string,
    { to, subject, text }: Letter,
    idempotencyKey: string | undefined,
  ): Promise<{ messageId: string; threadId: string }> {
    const asked = this.client
      .request({
        method: 'POST',
        path: `/v0/inboxes/${encodeURIComponent(inboxId)}/messages/send`,
        body: { to: [to], subject, text },
        ...(idempotencyKey !== undefined && { headers: { 'idempotency-key': idempotencyKey } }),
        changesSomething: true,
      })
      .then((reply) => {
        const read = () => {
          const fields = readFields(reply, 'the message');
          return { messageId: nameOf(fields, 'message_id', 998), threadId: nameOf(fields, 'thread_id', 256) };
        };
        return readReply(provider, read, 'unknownOutcome');
      });
    return orFailure(asked, convertRejection);
  }
}

/** The error class is documented, but its status is not. */
function isTaken({ status, body }: ProviderError): boolean {
  const { name, code } = (body ?? {}) as { name?: unknown; code?: unknown };
  return status === 409 || name === 'IsTakenError' || code === 'is_taken';
}

export const nameTaken = (): DomainError =>
  new DomainError('CONFLICT', 'The name of the inbox is taken. Choose another name.');

function convertRejection({ status, body }: ProviderError): DomainError | undefined {
  const { name } = (body ?? {}) as { name?: unknown };
  if (status === 404)
    return new DomainError(
      'NOT_FOUND',
      'The inbox was deleted. Create a new one with POST /agentmail/inboxes.',
    );
  if (status === 409)
    return new DomainError(
      'OUTCOME_UNKNOWN',
      'A message with this Idempotency-Key is being sent, or was sent with other content. Use a new key for a new message.',
    );
  const isDeclined = name === 'MessageRejectedError' || status === 400 || status === 422;
  return isDeclined ? messageDeclined() : undefined;
}

export const messageDeclined = (): DomainError =>
  new DomainError(
    'PURCHASE_REFUSED',
    'The mail provider declined to send this message to this address. Check the address and the content.',
    {
      details: { reason: 'MESSAGE_REFUSED' },
    },
  );
