import {
  decode,
  errorCodes,
  fieldsOf,
  type BusOperation,
  type Class,
  type FieldDeclaration,
  type Operation,
} from '@tollbridge/rpc';
import { allEvents, channels, closeCodes, features, internalFeatures, streamErrorCodes } from '.';

const operations = features.flatMap((feature) => Object.values(feature.operations) as Operation[]);
const internal = internalFeatures.flatMap((feature) => Object.values(feature.operations) as BusOperation[]);
const events = Object.values(allEvents);

/** Returns every field of a class and its nested classes, with its path. */
function allFields(source: Class<unknown>, prefix: string = source.name): [string, FieldDeclaration][] {
  return fieldsOf(source).flatMap((field) => {
    const path = `${prefix}.${field.name}`;
    return [[path, field], ...(field.nested ? allFields(field.nested.class(), path) : [])];
  });
}

const repeated = (values: string[]): string[] =>
  values.filter((value, index) => values.indexOf(value) !== index);

describe('operations', () => {
  it('have unique paths, subjects and names', () => {
    expect(
      repeated(operations.map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`)),
    ).toEqual([]);
    expect(repeated([...operations, ...internal].map(({ subject }) => subject))).toEqual([]);
    // Generated clients use the operation name as the method name.
    expect(repeated(operations.map(({ name }) => name))).toEqual([]);
  });

  it.each(operations.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
    'have a complete declaration: %s',
    (_title, { input, pathFields, hasBody, errors, summary, style, path, timeoutMs }) => {
      const fields = new Map(fieldsOf(input).map((field) => [field.name, field]));
      const unknown = pathFields.filter((name) => !fields.has(name) || fields.get(name)!.isOptional);
      expect(unknown).toEqual([]);
      const nestedInQuery = [...fields.values()].filter(({ nested }) => nested && !hasBody);
      expect(nestedInQuery).toEqual([]);
      expect(repeated([...errors])).toEqual([]);
      expect(errors.filter((code) => !(code in errorCodes))).toEqual([]);
      expect(summary).toMatch(/^[A-Z].*[^.]$/);
      expect(style).toBe(path.startsWith('/v1/') ? 'envelope' : 'bare');
      expect(timeoutMs).toBeGreaterThan(0);
    },
  );
});

describe('addresses in requests', () => {
  const isAddressName =
    /address|account$|wallet|receiver|recipient|destination|merchant$|payer$|^(to|from|payTo)$/i;
  /** Address fields that never receive money. */
  const others = [
    // Addresses of token contracts.
    ...['inputToken', 'outputToken', 'tokenIn', 'tokenOut'].map((it) => `SwapQuoteRequest.${it}.address`),
    // Accounts that are queried, or accounts of the caller.
    'BalancesRequest.wallets',
    'CheckoutOptionsRequest.wallets',
    'OrdersQuery.payer',
    'WalletCallQuery.payer',
    'PaymentQuery.payer_address',
    'SwapQuery.deposit_address',
    'ChallengeRequest.wallet',
    'VerifyRequest.wallet',
    'GetCardRequest.wallet',
    'MyCardsQuery.wallet',
    'PayoutRequest.wallet',
    'ApprovalsRequest.address',
    'AccountRequest.address',
    'PolicyRequest.address',
    'WithdrawalRequest.address',
    'CancellationRequest.address',
    'NanoVerifyRequest.from',
    'SwapQuoteRequest.userAddress',
    // The owner proves this address. The proof does not pay it.
    'ReceiverChallengeRequest.address',
    'VerifyReceiverRequest.address',
    'ReceiverRequest.address',
    // Times, mailboxes and phone numbers.
    'PaymentRequestsQuery.from',
    'PaymentRequestsQuery.to',
    'PaymentsQuery.from',
    'PaymentsQuery.to',
    'TransactionsQuery.from',
    'TransactionsQuery.to',
    'AgentSendRequest.to',
    'EmailSendRequest.to',
    'EmailSendRequest.from',
    'SendSmsRequest.to',
    'GiftCardOrderRequest.recipientEmail',
    'TopUpRequest.recipientPhone',
  ];

  it('declare whether they receive money, so that end-to-end tests can try unsafe addresses', () => {
    const named = operations
      .filter(({ isSandboxOnly }) => !isSandboxOnly)
      .flatMap(({ input }) => allFields(input))
      .filter(([, { name, schema }]) => schema['type'] !== 'array' && isAddressName.test(name));
    const undecided = named.filter(([, { receivesMoney }]) => !receivesMoney).map(([path]) => path);
    expect([...new Set(undecided)].filter((path) => !others.includes(path))).toEqual([]);
    expect(others.filter((path) => !undecided.includes(path))).toEqual([]);
  });
});

describe('texts in requests', () => {
  it('reject bidirectional control characters, except in prose', () => {
    const sources = new Set(operations.flatMap(({ input }) => classesBelow(input)));
    const texts = [...sources].flatMap((source) =>
      fieldsOf(source)
        .filter(({ schema }) => schema['type'] === 'string' || String(schema['type']) === 'string,null')
        .map(({ name }) => ({ source, name })),
    );
    expect(texts.length).toBeGreaterThan(100);
    const taken = texts.filter(({ source, name }) => {
      const decoded = decode(source, { [name]: 'abc\u202Edef' });
      return decoded.ok || !decoded.errors.some(({ field }) => field === name);
    });
    expect(taken.map(({ source, name }) => `${source.name}.${name}`).sort()).toEqual(prose);
  });
});

/** Fields with prose between people. Right-to-left scripts may need these characters. */
const prose = ['AgentSendRequest.text', 'EmailSendRequest.html', 'EmailSendRequest.text'];

function classesBelow(source: Class<unknown>): Class<unknown>[] {
  return [source, ...fieldsOf(source).flatMap(({ nested }) => (nested ? classesBelow(nested.class()) : []))];
}

describe('operations between services', () => {
  it('declare no HTTP route', () => {
    expect(internal.length).toBeGreaterThan(0);
    for (const operation of internal)
      for (const key of ['method', 'path']) expect(operation).not.toHaveProperty(key);
  });
});

describe('events', () => {
  it('use unique subjects', () => {
    expect(repeated(events.map(({ subject }) => subject))).toEqual([]);
  });
});

describe('channels', () => {
  it.each(channels.map((channel) => [channel.path, channel] as const))(
    'have a complete declaration: %s',
    (_path, channel) => {
      const { receives, sends, summary } = channel;
      const messages = [...Object.values(receives), ...Object.values(sends)];
      for (const text of [summary, ...messages.map((message) => message.summary)])
        expect(text).toMatch(/^[A-Z].*[^.]$/);
      expect(repeated(messages.map(({ payload }) => payload.name))).toEqual([]);
      const answers = Object.values(receives).flatMap((message) => message.answers);
      expect(answers.filter((name) => !(name in sends))).toEqual([]);
    },
  );

  it('describe every error code in the error guide', () => {
    const declared = Object.keys(channels[0]!.closeCodes).map(Number);
    expect(declared).toEqual(Object.values(closeCodes));
    expect(streamErrorCodes.filter((code) => !(code in errorCodes))).toEqual([]);
  });
});

describe('every field', () => {
  const classes = new Set<Class<unknown>>([
    ...[...operations, ...internal].flatMap(({ input, output }) => [input, output]),
    ...events.map(({ data }) => data as Class<unknown>),
    ...channels.flatMap(({ receives, sends }) =>
      [...Object.values(receives), ...Object.values(sends)].map(({ payload }) => payload as Class<unknown>),
    ),
  ]);
  const fields = [...classes].flatMap((source) => allFields(source));

  it.each(fields)('declares a description and an example: %s', (_path, { schema, nested }) => {
    expect(schema['description']).toEqual(expect.stringMatching(/\w/));
    // The example of an object is composed from the examples of its fields.
    if (!nested) expect(schema['examples']).toHaveLength(1);
  });
});
