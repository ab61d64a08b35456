import { namedByLithic, namedByReloadly, namedBySmsActivate, namedByTwilio } from './named-things';

const id = '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d';
const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
const nothing = { purchaseIds: [], providerIds: [] };

it('namedByReloadly finds our reference and the provider id at any depth', () => {
  const named = { purchaseIds: [id], providerIds: ['10023'] };
  expect(namedByReloadly(json({ data: { transactionId: 10023, customIdentifier: id } }))).toEqual(named);
  expect(namedByReloadly(json({ transaction: { referenceId: id, inner: { id: 10023 } } }))).toEqual(named);
});

it('reads the card of Lithic, the message of Twilio and the activation of sms-activate', () => {
  expect(namedByLithic(json({ event_type: 'card.updated', card_token: id, state: 'OPEN' }))).toEqual({
    purchaseIds: [],
    providerIds: [id],
  });
  const sid = `SM${'a'.repeat(32)}`;
  expect(namedByTwilio(Buffer.from(`MessageSid=${sid}&To=%2B447400123456`))).toEqual({
    purchaseIds: [],
    providerIds: [sid],
    recipient: '+447400123456',
  });
  expect(namedBySmsActivate(json({ activationId: 77, smsCode: '1' }))).toEqual({
    purchaseIds: [],
    providerIds: ['77'],
  });
});

it.each([
  ['an empty body', ''],
  ['invalid JSON', '{"a":'],
  ['a list of lists', JSON.stringify([[[[[[{ transactionId: 1, card_token: id, activationId: 1 }]]]]]])],
  ['null', 'null'],
  [
    'other fields',
    JSON.stringify({ transactionId: 'x', customIdentifier: 7, card_token: 'abc', activationId: '../1' }),
  ],
])('reads nothing from %s', (_name, text) => {
  const body = Buffer.from(text);
  for (const read of [namedByReloadly, namedByLithic, namedByTwilio, namedBySmsActivate])
    expect(read(body)).toEqual(nothing);
});

it('limits depth, fields and results', () => {
  const wide = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`field${at}`, at]));
  expect(namedByReloadly(json({ ...wide, transactionId: 1 }))).toEqual(nothing);
  const many = Array.from({ length: 50 }, (_, at) => ({ transactionId: at + 1 }));
  expect(namedByReloadly(json({ many })).providerIds).toHaveLength(8);
});
