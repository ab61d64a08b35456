import { MessageKind } from './message-kind';
import { digestsOf, MessageTerms } from './message-terms';
import { validateRecipient } from './recipient';
import { segmentsOf } from './segments';

it.each<[string, string, number]>([
  ['a short text', 'Hi', 1],
  ['a full segment', 'a'.repeat(160), 1],
  ['one character more', 'a'.repeat(161), 2],
  ['two full parts', 'a'.repeat(306), 2],
  ['one character more than two parts', 'a'.repeat(307), 3],
  ['characters that count twice', '€'.repeat(80), 1],
  ['one of these too many', '€'.repeat(81), 2],
  ['a character that must not be split', `${'a'.repeat(152)}€${'a'.repeat(153)}`, 3],
  ['other alphabets', 'я'.repeat(70), 1],
  ['one character more of another alphabet', 'я'.repeat(71), 2],
  ['emoji', '😀'.repeat(35), 1],
  ['emoji that must not be split', '😀'.repeat(67), 3],
  ['the longest', 'a'.repeat(1_600), 11],
])('segmentsOf counts the segments of %s', (_name, body, segments) => {
  expect(segmentsOf(body)).toBe(segments);
});

it.each([
  ['+447400123456', 'all'],
  ['+14155552671', 'all'],
  ['+4915112345678', ['DE', 'US']],
] as const)('validateRecipient accepts %s', (to, countries) =>
  expect(validateRecipient(to, countries)).toBeUndefined(),
);

it.each<[string, 'all' | string[], RegExp]>([
  ['+19005551234', 'all', /premium-rate/],
  ['+447012345678', 'all', /premium-rate, shared-cost, personal/],
  ['+881612345678', 'all', /of a country/],
  ['+10000000000', 'all', /not a valid number/],
  ['+447400123456', ['US'], /messages are not sent to/],
])('validateRecipient rejects %s', (to, countries, problem) =>
  expect(validateRecipient(to, countries)).toMatch(problem),
);

it('MessageTerms stores a keyed digest', () => {
  const terms = (body: string, secret = 'a') => JSON.stringify(new MessageTerms('+4474', body, secret));
  expect(JSON.parse(terms('code 1234'))).toEqual({ to: '+4474', digest: expect.any(String) });
  expect(terms('code 1234')).toBe(terms('code 1234'));
  expect(new Set([terms('code 1234'), terms('code 1235'), terms('code 1234', 'b')]).size).toBe(3);
});

it('MessageKind does not assign the message of a concurrent purchase', async () => {
  const message = { to: '+447400123456', body: 'Hi' };
  const listed = { sid: 'SM1', status: 'sent', body: 'Hi', createdAtMs: 0 };
  const messages = { lastTo: async () => ({ messages: [listed], isWhole: true }) };
  // The sender stores it between the two queries, in either order.
  let asked = 0;
  const repository = {
    ownedIds: async () => new Set(asked++ > 0 ? ['SM1'] : []),
    countUnknown: async () => (asked++ > 0 ? 0 : 1),
  };
  const config = { TWILIO_AUTH_TOKEN: 'secret' } as never;
  const kind = new MessageKind(messages as never, repository as never, config);
  const terms = { to: message.to, digest: digestsOf('secret', message)[0]! };
  const known = { provider: null, providerId: null, askedAtMs: 0 };
  expect(await kind.find('p-1', terms, known)).toBeUndefined();
});

it('MessageKind finds a message that was requested under the former auth token', async () => {
  const message = { sid: 'SM1', to: '+447400123456', body: 'Code 123456', createdAtMs: 0, status: 'sent' };
  const messages = { name: 'twilio', lastTo: async () => ({ messages: [message], isWhole: true }) };
  const repository = { countUnknown: async () => 0, ownedIds: async () => new Set() };
  const terms = new MessageTerms(message.to, message.body, 'former').toJSON();
  const known = { provider: null, providerId: null, askedAtMs: 0 };
  const findWith = (TWILIO_AUTH_TOKEN: string) =>
    new MessageKind(messages as never, repository as never, { TWILIO_AUTH_TOKEN } as never).find(
      'p-1',
      terms,
      known,
    );
  expect(await findWith('next,former')).toMatchObject({ providerId: 'SM1' });
  expect(await findWith('next')).toBeUndefined();
});
