import { feature, Flag, Integer, IntegerOrText, OneOf, operation, Text } from '@tollbridge/rpc';

const idExample = '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d';
const id = { description: 'The number that was rented', format: 'uuid', example: idExample };
const activationId = {
  description: "The provider's own id of it",
  maxLength: 64,
  example: '635468021',
};
const number = {
  description: 'The number, in E.164 form',
  pattern: /^\+[0-9]{5,17}$/,
  example: '+447350690992',
};
const code = {
  description: 'The code that was received',
  maxLength: 1_600,
  isMultiline: true,
  example: '482913',
};

export class RentNumberRequest {
  @Text({
    description:
      'Which service sends the code, by its code in the sms-activate protocol: tg Telegram, wa WhatsApp, go Google, fb Facebook, ig Instagram, ot any other',
    pattern: /^[a-z0-9]{2,4}$/,
    patternMessage: 'must be the code of a service: 2 to 4 lower-case letters or digits, such as tg',
    example: 'tg',
  })
  service: string;
  @IntegerOrText({
    description:
      'Country of the number: its calling code as an integer (1 USA, 44 United Kingdom, 86 China), or its two letters in ISO 3166-1 as a string. A calling code that countries share means the first of them (1 USA, 7 Russia, 44 United Kingdom); send the letters for another one, such as `CA` or `KZ`',
    min: 1,
    max: 999,
    pattern: /^[A-Za-z]{2}$/,
    message:
      'must be the calling code of a country as an integer, such as 44, or its two letters as a string, such as "GB"',
    example: 44,
  })
  country: number | string;
}

/** How many seconds a call waits for a code unless the client says otherwise. */
export const defaultWaitSeconds = 120;
/** The longest that a call waits for a code. */
export const maxWaitSeconds = 600;

export class AwaitCodeRequest extends RentNumberRequest {
  @Integer({
    description: 'Seconds to wait for the code, at most 600',
    min: 1,
    max: maxWaitSeconds,
    default: defaultWaitSeconds,
    example: 60,
  })
  timeout: number;
}

export class VirtualNumber {
  @Text(id)
  id: string;
  @Text(number)
  number: string;
  @Text(activationId)
  activationId: string;
}

export class CodeQuery {
  @Text(id)
  id: string;
}

export const codeStatuses = ['received', 'STATUS_WAIT_CODE', 'STATUS_CANCEL'] as const;

export class CodeStatus extends VirtualNumber {
  @OneOf(codeStatuses, {
    description:
      '`received` with `code`; `STATUS_WAIT_CODE` while none has come; `STATUS_CANCEL` once the number was given back, and its price with it',
    example: 'received',
  })
  status: (typeof codeStatuses)[number];
  @Text({
    ...code,
    description: 'The code, once it was received; absent again when the provider keeps it no longer',
    optional: true,
  })
  code?: string;
}

export class AwaitedCode extends VirtualNumber {
  @Text({ ...code, description: 'The code; null when none came', nullable: true })
  code: string | null;
  @Flag({
    description: 'True when no code came in time: the number is given back. Absent otherwise',
    optional: true,
    example: true,
  })
  timeout?: boolean;
}

export class SendSmsRequest {
  @Text({
    description:
      'To whom: a number in E.164 form, of a country, that can receive messages; premium-rate, shared-cost and personal numbers are refused',
    pattern: /^\+[1-9][0-9]{6,14}$/,
    patternMessage: 'must be a number in E.164 form: + and 7 to 15 digits, such as +447400123456',
    example: '+447400123456',
  })
  to: string;
  @Text({
    description: 'What is sent',
    maxLength: 1_600,
    isMultiline: true,
    example: 'Your parcel has arrived.',
  })
  body: string;
}

export class SentSms {
  @Text({ description: "The provider's own id", example: 'SM0123456789abcdef0123456789abcdef' })
  sid: string;
  @Text({ description: 'How far it is; `queued` when the provider has taken it', example: 'queued' })
  status: string;
  @Integer({ description: 'How many messages it is split into', min: 1, example: 1 })
  segments: number;
}

const buys = { key: 'secret', permission: 'write' } as const;
const providerErrors = [...(['UPSTREAM_UNAVAILABLE', 'PURCHASE_REFUSED', 'OUTCOME_UNKNOWN'] as const)];
const keyErrors = [...(['BUDGET_EXCEEDED', 'MAX_PER_TX_EXCEEDED'] as const)];

// The provider is waited for 30 s, and the price asked for before.
const buyTimeoutMs = 45_000;

/** Numbers that receive a code, and messages that are sent. */
export const smsApi = feature('service-api', 'sms', 'Text messages', {
  rentNumber: operation({
    operationId: 'rentPhoneNumber',
    method: 'POST',
    path: '/sms/number',
    summary: 'Rent a number for one code',
    description:
      'It lives for about 20 minutes. When no code comes it is given back by itself, and so is its price to the budget of the key.',
    input: RentNumberRequest,
    output: VirtualNumber,
    errors: [...keyErrors, ...providerErrors],
    auth: buys,
    timeoutMs: buyTimeoutMs,
  }),
  codeStatus: operation({
    operationId: 'getSmsCode',
    method: 'GET',
    path: '/sms/status/{id}',
    summary: 'Whether the code has come',
    input: CodeQuery,
    output: CodeStatus,
    errors: ['NOT_FOUND', 'UPSTREAM_UNAVAILABLE'],
    auth: { key: 'secret', permission: 'read' },
    timeoutMs: 30_000,
  }),
  awaitCode: operation({
    operationId: 'rentPhoneNumberAndAwaitCode',
    method: 'POST',
    path: '/sms/number-and-wait',
    summary: 'Rent a number and wait for its code',
    description:
      'Without a code in time, or when the client closes the connection, the number is given back, and its price with it; providers allow that 2 minutes after it was rented, so it may happen after the answer. The gateway sends nothing while the call waits: set the read timeout of the client, and the idle timeout of every proxy before the gateway, above `timeout` and 45 seconds. When the service stops, the call ends with `OUTCOME_UNKNOWN`; the same call under the same `Idempotency-Key` waits on for the same number.',
    input: AwaitCodeRequest,
    output: AwaitedCode,
    errors: [...keyErrors, ...providerErrors],
    auth: buys,
    timeoutMs: maxWaitSeconds * 1_000 + buyTimeoutMs,
    keepsSecret: true,
    endsWithCaller: true,
  }),
  sendSms: operation({
    method: 'POST',
    path: '/sms/send',
    summary: 'Send a text message',
    description:
      'Sent once for each `Idempotency-Key`. Where the answer of the provider was lost, the message is looked for in its list, and nothing is sent again before that.',
    input: SendSmsRequest,
    output: SentSms,
    errors: [...keyErrors, ...providerErrors],
    auth: buys,
    timeoutMs: buyTimeoutMs,
  }),
});
