import { feature, Flag, Integer, ListOf, Nested, operation, Text, Timestamp } from '@tollbridge/rpc';

const addressExample = 'kx7f2m9q4t@quickbox.test';
const tokenExample = 'eyJ0eXAiOiJKV1QiLCJhbGciOiJIUzI1NiJ9.eyJpZCI6IjY5MiJ9.c2lnbmF0dXJl';
const messageIdForm = {
  description: 'The message',
  pattern: /^[A-Za-z0-9_-]+$/,
  patternMessage: 'must be the id of a message',
  maxLength: 64,
  example: '6921c0ffee0d15ea5e5f00ba',
};

export class NoEmailFields {}

export class EmailDomain {
  @Text({ description: "The provider's own id of it", maxLength: 64, example: '68e0f1a2b3c4d5e6f7a8b9c0' })
  id: string;
  @Text({ description: 'Accounts can be made below it', example: 'quickbox.test' })
  domain: string;
}

export class EmailDomainsReply {
  @ListOf(() => EmailDomain, { description: 'They change from time to time', maxItems: 100 })
  domains: EmailDomain[];
}

const Username = () =>
  Text({
    description: 'What stands before the @; a random one without it',
    maxLength: 40,
    pattern: /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/,
    patternMessage:
      'must hold letters, digits, dots, dashes and underscores, with a letter or digit at both ends',
    optional: true,
    example: 'kx7f2m9q4t',
  });

export class EmailAccountRequest {
  @Username()
  username?: string;
}

export class EmailAccount {
  @Text({ description: 'The address', example: addressExample })
  address: string;
  @Text({ description: 'Its password, shown once and stored nowhere', example: 'mV2b…' })
  password: string;
  @Text({ description: 'What its messages are read with; a secret', maxLength: 4_096, example: tokenExample })
  token: string;
  @Text({
    description: "The provider's own id of the account",
    maxLength: 64,
    example: messageIdForm.example,
  })
  id: string;
}

const EmailToken = () =>
  Text({
    description:
      'The token of the account. Better in the header `x-email-token`: addresses end up in the logs of others',
    maxLength: 4_096,
    pattern: /^[A-Za-z0-9._~+/=-]+$/,
    patternMessage: 'must be the token of an account',
    optional: true,
    header: 'x-email-token',
    example: tokenExample,
  });

export class EmailMessagesQuery {
  @EmailToken()
  token?: string;
  @Integer({ description: '30 messages each, the newest first', min: 1, max: 100, default: 1, example: 1 })
  page?: number;
}

export class EmailMessageQuery {
  @EmailToken()
  token?: string;
  @Text(messageIdForm)
  id: string;
}

export class EmailParty {
  @Text({ description: 'Address', minLength: 0, maxLength: 512, example: 'shop@example.com' })
  address: string;
  @Text({ description: 'Name; may be empty', minLength: 0, maxLength: 512, example: 'Shop' })
  name: string;
}

export class EmailMessageSummary {
  @Text(messageIdForm)
  id: string;
  @Nested(() => EmailParty, { description: 'Who it says that it is from' })
  from: EmailParty;
  @ListOf(() => EmailParty, { description: 'To whom', maxItems: 100 })
  to: EmailParty[];
  @Text({ description: 'Subject; may be empty', minLength: 0, maxLength: 1_000, example: 'Your code' })
  subject: string;
  @Text({ description: 'How it begins', minLength: 0, maxLength: 1_000, example: 'Your code is 482913' })
  intro: string;
  @Flag({ description: 'Whether it was opened', example: false })
  seen: boolean;
  @Flag({ description: 'Whether files are attached', example: false })
  hasAttachments: boolean;
  @Integer({ description: 'Bytes', min: 0, example: 1_204 })
  size: number;
  @Timestamp({ description: 'When it arrived', example: '2026-11-22T12:00:07.000Z' })
  createdAt: string;
}

export class EmailMessagesReply {
  @ListOf(() => EmailMessageSummary, { description: 'The newest first', maxItems: 100 })
  messages: EmailMessageSummary[];
  @Integer({ description: 'Number of `messages` in this reply', min: 0, example: 1 })
  count: number;
  @Integer({ description: 'Which page this is', min: 1, example: 1 })
  page: number;
}

const Code = () =>
  Text({
    description: 'The code in it, to confirm something with; null when there is none',
    nullable: true,
    maxLength: 16,
    example: '482913',
  });
const MessageText = () =>
  Text({
    description: 'As plain text; empty when it has HTML only',
    minLength: 0,
    maxLength: 50_000,
    example: 'Your code is 482913',
  });

export class EmailMessageDetails extends EmailMessageSummary {
  @MessageText()
  text: string;
  @Text({
    description: 'As HTML, as strangers wrote it: never show it unguarded. Null when there is none',
    nullable: true,
    minLength: 0,
    maxLength: 150_000,
    example: '<p>Your code is 482913</p>',
  })
  html: string | null;
  @Flag({ description: 'Whether text or HTML were longer, and are cut', example: false })
  truncated: boolean;
  @Code()
  code: string | null;
}

export class EmailAccountAndWaitRequest {
  @Username()
  username?: string;
  @Integer({
    description: 'Seconds to wait for the first message, at most 120',
    min: 1,
    max: 120,
    default: 120,
    example: 120,
  })
  timeout?: number;
}

export class FirstEmail {
  @Text(messageIdForm)
  id: string;
  @Nested(() => EmailParty, { description: 'Who it says that it is from' })
  from: EmailParty;
  @Text({ description: 'Subject; may be empty', minLength: 0, maxLength: 1_000, example: 'Your code' })
  subject: string;
  @MessageText()
  text: string;
  @Timestamp({ description: 'When it arrived', example: '2026-11-22T12:00:07.000Z' })
  createdAt: string;
}

export class EmailAccountAndWaitReply extends EmailAccount {
  @Nested(() => FirstEmail, { description: 'The first message; null when none came in time', nullable: true })
  message: FirstEmail | null;
  @Code()
  code: string | null;
  @Flag({
    description: 'True when no message came in time; the account stays, and can be read',
    example: false,
  })
  timeout: boolean;
}

const withToken =
  'Needs no key: the token of the account is what opens it, in the header `x-email-token` or as `token` in the query.';

/** Mailboxes for a while: what arrives in them, and the codes in it. */
export const emailApi = feature('service-api', 'email', 'Disposable email', {
  listEmailDomains: operation({
    method: 'GET',
    path: '/email/domains',
    summary: 'List the domains of disposable addresses',
    input: NoEmailFields,
    output: EmailDomainsReply,
    errors: ['UPSTREAM_UNAVAILABLE'],
    auth: { key: 'secret', permission: 'read' },
    timeoutMs: 35_000,
  }),
  createEmailAccount: operation({
    method: 'POST',
    path: '/email/account',
    summary: 'Make a disposable address',
    description: 'It lasts for days. Its password and token are shown here only.',
    input: EmailAccountRequest,
    output: EmailAccount,
    errors: ['CONFLICT', 'UPSTREAM_UNAVAILABLE'],
    keepsSecret: true,
    auth: { key: 'secret', permission: 'write' },
    timeoutMs: 60_000,
  }),
  listEmailMessages: operation({
    method: 'GET',
    path: '/email/messages',
    summary: 'List the messages of a disposable address',
    description: withToken,
    input: EmailMessagesQuery,
    output: EmailMessagesReply,
    errors: ['UNAUTHORIZED', 'UPSTREAM_UNAVAILABLE'],
    auth: 'public',
    timeoutMs: 35_000,
  }),
  getEmailMessage: operation({
    method: 'GET',
    path: '/email/messages/{id}',
    summary: 'Read a message, and the code in it',
    description: withToken,
    input: EmailMessageQuery,
    output: EmailMessageDetails,
    errors: ['UNAUTHORIZED', 'NOT_FOUND', 'UPSTREAM_UNAVAILABLE'],
    auth: 'public',
    timeoutMs: 35_000,
  }),
  createEmailAccountAndWait: operation({
    method: 'POST',
    path: '/email/account-and-wait',
    summary: 'Make a disposable address and wait for its first message',
    description:
      'Answers as soon as the first message is there, with the code in it, or after `timeout` seconds with `timeout: true`. Choose `username` and a domain of `GET /email/domains` (its first) where somebody must know the address while this waits. It ends when you hang up.',
    input: EmailAccountAndWaitRequest,
    output: EmailAccountAndWaitReply,
    errors: ['CONFLICT', 'UPSTREAM_UNAVAILABLE'],
    keepsSecret: true,
    endsWithCaller: true,
    auth: { key: 'secret', permission: 'write' },
    // The account, two minutes, and the message.
    timeoutMs: 170_000,
  }),
});
