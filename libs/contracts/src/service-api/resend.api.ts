import { feature, operation, Text } from '@tollbridge/rpc';
import { MailAddressText, SenderText } from './mail.fields';

const Body = (description: string, example: string) =>
  Text({ description, isProse: true, maxLength: 100_000, optional: true, example });

export class EmailSendRequest {
  static readonly example = {
    to: 'customer@example.com',
    subject: 'Your order',
    text: 'It is on its way.',
    html: '<p>It is on its way.</p>',
  };
  @MailAddressText({ description: 'To whom: one address', example: 'customer@example.com' })
  to: string;
  @Text({ description: 'Subject, in one line', maxLength: 500, example: 'Your order' })
  subject: string;
  @Body('The message as plain text; this or `html` is needed', 'It is on its way.')
  text?: string;
  @Body('The message as HTML, sent as it is given', '<p>It is on its way.</p>')
  html?: string;
  @SenderText({
    description:
      'From whom: an address of `POST /resend/agent-email` of yours, with a name or without. Without it, the address of this deployment',
    optional: true,
    example: 'Shop <shop-7k2m4x9qw3@tollbridge.test>',
  })
  from?: string;
}

export class EmailSendReply {
  @Text({
    description: "The provider's own id of the mail",
    maxLength: 64,
    example: '49a3999c-0ce1-4ea6-ab68-afcd6dc2e794',
  })
  id: string;
  @Text({ description: 'Who it is from', maxLength: 330, example: 'no-reply@tollbridge.test' })
  from: string;
}

export class AgentEmailRequest {
  @Text({
    description: 'Your own name for the agent. The same one always has the same address; case matters',
    maxLength: 128,
    pattern: /^[A-Za-z0-9](?:[A-Za-z0-9._:@/-]*[A-Za-z0-9])?$/,
    patternMessage: 'must hold letters, digits and . _ : @ / - with a letter or digit at both ends',
    example: 'shop',
  })
  agentId: string;
}

export class AgentEmailReply {
  @Text({ description: 'The address of the agent', example: 'shop-7k2m4x9qw3@tollbridge.test' })
  address: string;
  @Text({ description: 'Its domain', example: 'tollbridge.test' })
  domain: string;
}

/** Mail from the domain of this deployment. */
export const resendApi = feature('service-api', 'resend', 'Sending email', {
  sendEmail: operation({
    method: 'POST',
    path: '/resend/send',
    summary: 'Send a mail from the own domain',
    description:
      'Success means that it was taken, not that it has arrived. With an `Idempotency-Key` it is sent once, however often it is asked for; without one, `504` means that it may have been sent.',
    input: EmailSendRequest,
    output: EmailSendReply,
    errors: ['PURCHASE_REFUSED', 'UPSTREAM_UNAVAILABLE'],
    auth: { key: 'secret', permission: 'write' },
    timeoutMs: 40_000,
  }),
  makeAgentEmail: operation({
    operationId: 'createAgentEmailAddress',
    method: 'POST',
    path: '/resend/agent-email',
    summary: 'Give an agent an address of its own',
    description:
      'The address is the same each time, and of no other wallet. Mail can be sent from it at once.',
    input: AgentEmailRequest,
    output: AgentEmailReply,
    errors: [],
    auth: { key: 'secret', permission: 'write' },
  }),
});
