import { feature, operation, Text, Timestamp } from '@tollbridge/rpc';
import { MailAddressText } from './mail.fields';

const inboxExample = 'shop@agentmail.test';

export class AgentInboxRequest {
  @Text({
    description: 'What it is called. Its letters and digits become the address',
    maxLength: 64,
    example: 'Shop',
  })
  name: string;
}

export class AgentInbox {
  @Text({ description: "The provider's own id of the inbox", example: inboxExample })
  inboxId: string;
  @Text({ description: 'The same, as `POST /agentmail/send` takes it', example: inboxExample })
  inbox_id: string;
  @Text({ description: 'Its address', example: inboxExample })
  email: string;
  @Text({ description: 'What it is called', example: 'Shop' })
  name: string;
  @Timestamp({ description: 'When it was made', example: '2026-11-22T12:00:07.000Z' })
  createdAt: string;
}

export class AgentSendRequest {
  @MailAddressText({ description: 'An inbox of yours: `inbox_id`', example: inboxExample })
  inbox_id: string;
  @MailAddressText({ description: 'To whom: one address', example: 'customer@example.com' })
  to: string;
  @Text({ description: 'Subject, in one line', maxLength: 500, example: 'Your order' })
  subject: string;
  @Text({ description: 'The message', isProse: true, maxLength: 100_000, example: 'It is on its way.' })
  text: string;
}

export class AgentSendReply {
  @Text({
    description: 'The Message-ID that it has everywhere',
    maxLength: 998,
    example: '<a1b2@agentmail.test>',
  })
  messageId: string;
  @Text({ description: 'The conversation that it belongs to', maxLength: 256, example: 'd8a3c1f0' })
  threadId: string;
}

/** Inboxes that stay, and mail from them. */
export const agentmailApi = feature('service-api', 'agentmail', 'Agent inboxes', {
  createAgentInbox: operation({
    method: 'POST',
    path: '/agentmail/inboxes',
    summary: 'Make an inbox that stays',
    description: 'Asked for again by the same wallet, it is the same inbox.',
    input: AgentInboxRequest,
    output: AgentInbox,
    errors: ['CONFLICT', 'UPSTREAM_UNAVAILABLE'],
    auth: { key: 'secret', permission: 'write' },
    timeoutMs: 40_000,
  }),
  sendFromAgentInbox: operation({
    method: 'POST',
    path: '/agentmail/send',
    summary: 'Send a mail from an inbox of yours',
    description:
      'With an `Idempotency-Key` it is sent once, however often it is asked for. Without one it is sent each time, and `504` means that it may have been sent.',
    input: AgentSendRequest,
    output: AgentSendReply,
    errors: ['NOT_FOUND', 'PURCHASE_REFUSED', 'UPSTREAM_UNAVAILABLE'],
    auth: { key: 'secret', permission: 'write' },
    timeoutMs: 40_000,
  }),
});
