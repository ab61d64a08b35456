import { feature, operation } from '@tollbridge/rpc';
import { Flag, Integer, ListOf, Nested, Secret, Text, Timestamp, Unsigned } from '../decorators';

const addressExample = 'kx7f2m9q4t@quickbox.test';
const tokenExample = 'eyJ0eXAiOiJKV1QiLCJhbGciOiJIUzI1NiJ9.eyJpZCI6IjY5MiJ9.c2lnbmF0dXJl';
const messageIdForm = {
  description: 'Id of the message',
  pattern: /^[A-Za-z0-9_-]+$/,
  patternMessage: 'must be a message id',
  maxLength: 64,
  example: '6921c0ffee0d15ea5e5f00ba',
};

export class NoEmailFields {}

export class EmailDomain {
  @Text('Id of the message at the provider', { maxLength: 64, example: '68e0f1a2b3c4d5e6f7a8b9c0' })
  id: string;
  @Text('Domains that accounts can be created on', { example: 'quickbox.test' }) domain: string;
}

export class EmailDomainsReply {
  @ListOf(() => EmailDomain, 'The provider changes them from time to time', { maxItems: 100 })
  domains: EmailDomain[];
}

const Username = () =>
  Text('Local part of the address, before the @; random by default', {
    maxLength: 40,
    pattern: /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/,
    patternMessage:
      'must contain letters, digits, dots, dashes and underscores, with a letter or digit at both ends',
    optional: true,
    example: 'kx7f2m9q4t',
  });

export class EmailAccountRequest {
  @Username() username?: string;
}

export class EmailAccount {
  @Text('Email address', { example: addressExample }) address: string;
  @Secret('Password, shown only once and stored nowhere', { example: 'mV2b…' })
  password: string;
  @Secret('Secret token for reading the messages', { maxLength: 4_096, example: tokenExample }) token: string;
  @Text('Id of the account at the provider', { maxLength: 64, example: messageIdForm.example }) id: string;
}

const EmailToken = () =>
  Text('Token of the account. Prefer the header `x-email-token`: URLs end up in logs', {
    maxLength: 4_096,
    pattern: /^[A-Za-z0-9._~+/=-]+$/,
    patternMessage: 'must be an account token',
    optional: true,
    header: 'x-email-token',
    isSecret: true,
    example: tokenExample,
  });

export class EmailMessagesQuery {
  @EmailToken() token?: string;
  @Integer('30 messages per page, newest first', { min: 1, max: 100, default: 1, example: 1 }) page?: number;
}

export class EmailMessageQuery {
  @EmailToken() token?: string;
  @Text(messageIdForm) id: string;
}

export class EmailParty {
  @Text('Address', { minLength: 0, maxLength: 512, example: 'shop@example.com' }) address: string;
  @Text('Display name; may be empty', { minLength: 0, maxLength: 512, example: 'Shop' }) name: string;
}

export class EmailMessageSummary {
  @Text(messageIdForm) id: string;
  @Nested(() => EmailParty, 'Sender, as the message claims') from: EmailParty;
  @ListOf(() => EmailParty, 'Recipients', { maxItems: 100 }) to: EmailParty[];
  @Secret('Subject; may be empty', { minLength: 0, maxLength: 1_000, example: 'Your code' })
  subject: string;
  @Secret('Beginning of the text', { minLength: 0, maxLength: 1_000, example: 'Your code is 482913' })
  intro: string;
  @Flag('Whether the message was opened', { example: false }) seen: boolean;
  @Flag('Whether the message has attachments', { example: false }) hasAttachments: boolean;
  @Unsigned('Size in bytes', { example: 1_204 }) size: number;
  @Timestamp('Time of arrival', { example: '2026-11-22T12:00:07.000Z' }) createdAt: string;
}

export class EmailMessagesReply {
  @ListOf(() => EmailMessageSummary, 'Newest first', { maxItems: 100 }) messages: EmailMessageSummary[];
  @Unsigned('Number of `messages` in this reply', { example: 1 }) count: number;
  @Integer('Page number', { min: 1, example: 1 }) page: number;
}

const Code = () =>
  Text('Confirmation code found in the message; null without one', {
    isSecret: true,
    nullable: true,
    maxLength: 16,
    example: '482913',
  });
const MessageText = () =>
  Text('Plain text; empty when the message has only HTML', {
    isSecret: true,
    minLength: 0,
    maxLength: 50_000,
    example: 'Your code is 482913',
  });

export class EmailMessageDetails extends EmailMessageSummary {
  @MessageText() text: string;
  @Secret('HTML as the sender wrote it: sanitise it before display. Null for a message without HTML', {
    nullable: true,
    minLength: 0,
    maxLength: 150_000,
    example: '<p>Your code is 482913</p>',
  })
  html: string | null;
  @Flag('Whether text or HTML were truncated', { example: false }) truncated: boolean;
  @Code() code: string | null;
}

export class EmailAccountAndWaitRequest {
  @Username() username?: string;
  @Integer('Seconds to wait for the first message, at most 120', {
    min: 1,
    max: 120,
    default: 120,
    example: 120,
  })
  timeout?: number;
}

export class FirstEmail {
  @Text(messageIdForm) id: string;
  @Nested(() => EmailParty, 'Sender, as the message claims') from: EmailParty;
  @Secret('Subject; may be empty', { minLength: 0, maxLength: 1_000, example: 'Your code' })
  subject: string;
  @MessageText() text: string;
  @Timestamp('Time of arrival', { example: '2026-11-22T12:00:07.000Z' }) createdAt: string;
}

export class EmailAccountAndWaitReply extends EmailAccount {
  @Nested(() => FirstEmail, 'First message; null when none arrived in time', { nullable: true })
  message: FirstEmail | null;
  @Code() code: string | null;
  @Flag('True when no message arrived in time; the account remains, and can be read', { example: false })
  timeout: boolean;
}

const withToken =
  'Needs no API key: the token of the account gives access, in the header `x-email-token` or as `token` in the query.';

/** Disposable mailboxes, their messages and the codes in them. */
export const emailApi = feature('service-api', 'email', 'Disposable email', {
  listEmailDomains: operation('GET /email/domains', {
    summary: 'List the domains of disposable addresses',
    input: NoEmailFields,
    output: EmailDomainsReply,
    errors: ['UPSTREAM_UNAVAILABLE'],
    auth: { key: 'secret', permission: 'read' },
    timeoutMs: 35_000,
  }),
  createEmailAccount: operation('POST /email/account', {
    summary: 'Create a disposable address',
    description: 'The address lasts for days. Only this reply contains its password and token.',
    input: EmailAccountRequest,
    output: EmailAccount,
    errors: ['CONFLICT', 'UPSTREAM_UNAVAILABLE'],
    auth: { key: 'secret', permission: 'write' },
    sale: 'buys',
    timeoutMs: 60_000,
  }),
  listEmailMessages: operation('GET /email/messages', {
    summary: 'List the messages of a disposable address',
    description: withToken,
    input: EmailMessagesQuery,
    output: EmailMessagesReply,
    errors: ['UNAUTHORIZED', 'UPSTREAM_UNAVAILABLE'],
    auth: 'public',
    timeoutMs: 35_000,
  }),
  getEmailMessage: operation('GET /email/messages/{id}', {
    summary: 'Read a message and its confirmation code',
    description: withToken,
    input: EmailMessageQuery,
    output: EmailMessageDetails,
    errors: ['UNAUTHORIZED', 'NOT_FOUND', 'UPSTREAM_UNAVAILABLE'],
    auth: 'public',
    timeoutMs: 35_000,
  }),
  createEmailAccountAndWait: operation('POST /email/account-and-wait', {
    summary: 'Create a disposable address and wait for its first message',
    description:
      'Returns the first message with its confirmation code, or `timeout: true` after `timeout` seconds. Choose `username` and the first domain of `GET /email/domains` when the sender must know the address during the call. Closing the connection ends the call.',
    input: EmailAccountAndWaitRequest,
    output: EmailAccountAndWaitReply,
    errors: ['CONFLICT', 'UPSTREAM_UNAVAILABLE'],
    endsWithCaller: true,
    auth: { key: 'secret', permission: 'write' },
    // Enough for creating the account, waiting for two minutes, and reading the message.
    timeoutMs: 170_000,
  }),
});
