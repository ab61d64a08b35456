import { feature, operation } from '@tollbridge/rpc';
import { Flag, Integer, IntegerOrText, OneOf, Secret, Text } from '../decorators';
import { PhoneNumber } from './phone.fields';
import { Id } from '../shared-fields';

const RentalId = () => Id('Id of the rental');
const ActivationId = () => Text('Id of the rental at the provider', { maxLength: 64, example: '635468021' });
const RentedNumber = () =>
  Text('Rented number, in E.164 form', { pattern: /^\+[0-9]{5,17}$/, example: '+447350690992' });
const code = {
  description: 'The received code',
  isSecret: true,
  maxLength: 1_600,
  isMultiline: true,
  example: '482913',
};

export class RentNumberRequest {
  @Text(
    'Service that sends the code, as its code in the sms-activate protocol: tg Telegram, wa WhatsApp, go Google, fb Facebook, ig Instagram, ot any other',
    {
      pattern: /^[a-z0-9]{2,4}$/,
      patternMessage: 'must be a service code: 2 to 4 lower-case letters or digits, such as tg',
      example: 'tg',
    },
  )
  service: string;
  @IntegerOrText(
    'Country of the number: its calling code as an integer (1 USA, 44 United Kingdom, 86 China), or its ISO 3166-1 two-letter code as a string. A calling code that countries share means the first of them (1 USA, 7 Russia, 44 United Kingdom); send the letters for another one, such as `CA` or `KZ`',
    {
      min: 1,
      max: 999,
      pattern: /^[A-Za-z]{2}$/,
      message:
        'must be a country calling code as an integer, such as 44, or a two-letter country code as a string, such as "GB"',
      example: 44,
    },
  )
  country: number | string;
}

/** Default time that a call waits for a code, in seconds. */
export const defaultWaitSeconds = 120;
/** Maximum time that a call waits for a code, in seconds. */
export const maxWaitSeconds = 600;

export class AwaitCodeRequest extends RentNumberRequest {
  @Integer('Seconds to wait for the code, at most 600', {
    min: 1,
    max: maxWaitSeconds,
    default: defaultWaitSeconds,
    example: 60,
  })
  timeout: number;
}

export class VirtualNumber {
  @RentalId() id: string;
  @RentedNumber() number: string;
  @ActivationId() activationId: string;
}

export class CodeQuery {
  @RentalId() id: string;
}

export const codeStatuses = ['received', 'STATUS_WAIT_CODE', 'STATUS_CANCEL'] as const;

export class CodeStatus extends VirtualNumber {
  @OneOf(
    codeStatuses,
    '`received`: with `code`. `STATUS_WAIT_CODE`: no code has arrived yet. `STATUS_CANCEL`: the number was returned, and its price refunded',
  )
  status: (typeof codeStatuses)[number];
  @Text('The code, once received; absent again when the provider no longer stores it', {
    ...code,
    optional: true,
  })
  code?: string;
}

export class AwaitedCode extends VirtualNumber {
  @Text('The code; null when none arrived', { ...code, nullable: true }) code: string | null;
  @Flag('True when no code arrived in time: the number is returned. Absent otherwise', { optional: true })
  timeout?: boolean;
}

export class SendSmsRequest {
  @PhoneNumber(
    'Recipient: a number in E.164 form of a country that can receive messages. Premium-rate, shared-cost and personal numbers are rejected',
    {
      pattern: /^\+[1-9][0-9]{6,14}$/,
      patternMessage: 'must be a number in E.164 form: + and 7 to 15 digits, such as +447400123456',
      example: '+447400123456',
    },
  )
  to: string;
  @Secret('Text of the message', { maxLength: 1_600, isMultiline: true, example: 'Your parcel has arrived.' })
  body: string;
}

export class SentSms {
  @Text('Id of the message at the provider', { example: 'SM0123456789abcdef0123456789abcdef' }) sid: string;
  @Text('Status; `queued` when the provider accepted the message', { example: 'queued' }) status: string;
  @Integer('Number of segments that the message is split into', { min: 1, example: 1 }) segments: number;
}

const buys = { key: 'secret', permission: 'write' } as const;
const providerErrors = ['UPSTREAM_UNAVAILABLE', 'PURCHASE_REFUSED', 'OUTCOME_UNKNOWN'] as const;
const keyErrors = ['BUDGET_EXCEEDED', 'MAX_PER_TX_EXCEEDED'] as const;

// Covers the price look-up and the provider's time-out of 30 s.
const buyTimeoutMs = 45_000;

/** Rented numbers for receiving codes, and text messages. */
export const smsApi = feature('service-api', 'sms', 'Text messages', {
  rentNumber: operation('POST /sms/number', {
    operationId: 'rentPhoneNumber',
    summary: 'Rent a number for one code',
    description:
      'The number lasts for about 20 minutes. When no code arrives it is returned automatically, and its price is released to the budget of the key.',
    input: RentNumberRequest,
    output: VirtualNumber,
    errors: [...keyErrors, ...providerErrors],
    auth: buys,
    timeoutMs: buyTimeoutMs,
    sale: 'buys',
  }),
  codeStatus: operation('GET /sms/status/{id}', {
    operationId: 'getSmsCode',
    summary: 'Read the code of a rented number',
    input: CodeQuery,
    output: CodeStatus,
    errors: ['NOT_FOUND', 'UPSTREAM_UNAVAILABLE'],
    auth: { key: 'secret', permission: 'read' },
    timeoutMs: 30_000,
    sale: 'reads',
  }),
  awaitCode: operation('POST /sms/number-and-wait', {
    operationId: 'rentPhoneNumberAndAwaitCode',
    summary: 'Rent a number and wait for its code',
    description:
      "When no code arrives in time, or the client closes the connection, the number is returned and its price refunded. Providers allow this only 2 minutes after the rental, so it may happen after the reply. The gateway sends nothing while the call waits: set the client's read timeout, and the idle timeout of every proxy before the gateway, above `timeout` plus 45 seconds. When the service stops, the call ends with `OUTCOME_UNKNOWN`; the same call with the same `Idempotency-Key` continues to wait for the same number.",
    input: AwaitCodeRequest,
    output: AwaitedCode,
    errors: [...keyErrors, ...providerErrors],
    auth: buys,
    timeoutMs: maxWaitSeconds * 1_000 + buyTimeoutMs,
    endsWithCaller: true,
    sale: 'buys',
  }),
  sendSms: operation('POST /sms/send', {
    summary: 'Send a text message',
    description:
      "Sent once for each `Idempotency-Key`. When the provider's response was lost, the service searches the provider's message list before it sends again.",
    input: SendSmsRequest,
    output: SentSms,
    errors: [...keyErrors, ...providerErrors],
    auth: buys,
    timeoutMs: buyTimeoutMs,
    sale: 'buys',
  }),
});
