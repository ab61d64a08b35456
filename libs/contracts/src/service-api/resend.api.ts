import { feature, operation } from '@tollbridge/rpc';
import { Text } from '../decorators';
import { MailAddressText, SenderText } from './mail.fields';

const Body = (description: string, example: string) =>
  Text(description, { isSecret: true, isProse: true, maxLength: 100_000, optional: true, example });

export class EmailSendRequest {
  static readonly example = {
    to: 'delivered@resend.dev',
    subject: 'Your order',
    text: 'It is on its way.',
    html: '<p>It is on its way.</p>',
  };
  @MailAddressText('Recipient: one address', { example: 'delivered@resend.dev' }) to: string;
  @Text('Subject, one line', { maxLength: 500, example: 'Your order' }) subject: string;
  @Body('Plain text of the message; required unless `html` is given', 'It is on its way.') text?: string;
  @Body('HTML of the message, sent unchanged', '<p>It is on its way.</p>') html?: string;
  @SenderText(
    'Sender: an address on the domain of this deployment, optionally with a name. The first wallet that sends from an address owns it; names of roles, such as postmaster, belong to the operator. Payers without an account send from addresses of `POST /resend/agent-email`. By default the address of this deployment',
    { optional: true, example: 'Shop <shop@tollbridge.test>' },
  )
  from?: string;
}

export class EmailSendReply {
  @Text('Id of the mail at the provider', { maxLength: 64, example: '49a3999c-0ce1-4ea6-ab68-afcd6dc2e794' })
  id: string;
  @Text('Sender', { maxLength: 330, example: 'no-reply@tollbridge.test' }) from: string;
}

export class AgentEmailRequest {
  @Text('Your own name for the agent. The same name always gets the same address; names are case-sensitive', {
    maxLength: 128,
    pattern: /^[A-Za-z0-9](?:[A-Za-z0-9._:@/-]*[A-Za-z0-9])?$/,
    patternMessage: 'must contain letters, digits and . _ : @ / - with a letter or digit at both ends',
    example: 'shop',
  })
  agentId: string;
}

export class AgentEmailReply {
  @Text('Email address of the agent', { example: 'shop-7k2m4x9qw3@tollbridge.test' }) address: string;
  @Text('Domain of the address', { example: 'tollbridge.test' }) domain: string;
}

/** Sending mail from the domain of this deployment. */
export const resendApi = feature('service-api', 'resend', 'Sending email', {
  sendEmail: operation('POST /resend/send', {
    summary: 'Send an email from the domain of this deployment',
    description:
      'Success means that the provider accepted the email, not that it arrived. With an `Idempotency-Key` the email is sent once, however often the call is repeated; without one, `504` means that it may have been sent.',
    input: EmailSendRequest,
    output: EmailSendReply,
    errors: ['PURCHASE_REFUSED', 'UPSTREAM_UNAVAILABLE'],
    auth: { key: 'secret', permission: 'write' },
    sale: 'buys',
    timeoutMs: 40_000,
  }),
  makeAgentEmail: operation('POST /resend/agent-email', {
    operationId: 'createAgentEmailAddress',
    summary: 'Create an email address for an agent',
    description:
      'The address is the same each time, and belongs to this wallet only. It can send email immediately.',
    input: AgentEmailRequest,
    output: AgentEmailReply,
    auth: { key: 'secret', permission: 'write' },
    sale: 'buys',
  }),
});
