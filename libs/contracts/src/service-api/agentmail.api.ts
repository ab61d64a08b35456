import { feature, operation } from '@tollbridge/rpc';
import { Secret, Text, Timestamp } from '../decorators';
import { MailAddressText } from './mail.fields';

const inboxExample = 'shop@agentmail.test';

export class AgentInboxRequest {
  @Text('Name of the inbox. Its letters and digits become the address', { maxLength: 64, example: 'Shop' })
  name: string;
}

export class AgentInbox {
  @Text('Id of the inbox at the provider', { example: inboxExample }) inboxId: string;
  @Text('The same id, as `POST /agentmail/send` takes it', { example: inboxExample }) inbox_id: string;
  @Text('Email address of the inbox', { example: inboxExample }) email: string;
  @Text('Name of the inbox', { example: 'Shop' }) name: string;
  @Timestamp('Creation time', { example: '2026-11-22T12:00:07.000Z' }) createdAt: string;
}

export class AgentSendRequest {
  @MailAddressText('Inbox of the wallet: `inbox_id`', { example: inboxExample }) inbox_id: string;
  @MailAddressText('Recipient: one address', { example: 'delivered@resend.dev' }) to: string;
  @Text('Subject, one line', { maxLength: 500, example: 'Your order' }) subject: string;
  @Secret('Text of the message', { isProse: true, maxLength: 100_000, example: 'It is on its way.' })
  text: string;
}

export class AgentSendReply {
  @Text('Message-ID header of the mail', { maxLength: 998, example: '<a1b2@agentmail.test>' })
  messageId: string;
  @Text('Id of the conversation', { maxLength: 256, example: 'd8a3c1f0' }) threadId: string;
}

/** Permanent inboxes, and sending mail from them. */
export const agentmailApi = feature('service-api', 'agentmail', 'Agent inboxes', {
  createAgentInbox: operation('POST /agentmail/inboxes', {
    summary: 'Create a permanent inbox',
    description: 'The same wallet gets the same inbox when it repeats the call.',
    input: AgentInboxRequest,
    output: AgentInbox,
    errors: ['CONFLICT', 'UPSTREAM_UNAVAILABLE'],
    auth: { key: 'secret', permission: 'write' },
    sale: 'buys',
    timeoutMs: 40_000,
  }),
  sendFromAgentInbox: operation('POST /agentmail/send', {
    summary: 'Send an email from an inbox',
    description:
      'With an `Idempotency-Key` the email is sent once, however often the call is repeated. Without one each call sends it, and `504` means that it may have been sent.',
    input: AgentSendRequest,
    output: AgentSendReply,
    errors: ['NOT_FOUND', 'PURCHASE_REFUSED', 'UPSTREAM_UNAVAILABLE'],
    auth: { key: 'secret', permission: 'write' },
    sale: 'buys',
    timeoutMs: 40_000,
  }),
});
