import { erasedMarker, personMatcher, type Person } from './personal-data';

const ada: Person = { phone: '+15551234567', email: 'ada.l@example.com' };
const inText = (text: string, person: Person = ada) => personMatcher(person).eraseText(text);
const inJson = (json: string, person: Person = ada) => personMatcher(person).eraseJson(json);

describe('eraseText', () => {
  it.each([
    ['+15551234567', '[erased]'],
    ['call +1 (555) 123-4567 today', 'call [erased] today'],
    ['+1.555.123.4567, please', '[erased], please'],
    ['Ada.L@Example.COM', '[erased]'],
    ['<ada.l@example.com>, bob@example.com', '<[erased]>, bob@example.com'],
    ['ada.l@example.com and +15551234567', '[erased] and [erased]'],
  ])('replaces personal data in %j', (text, expected) => {
    expect(inText(text)).toBe(expected);
  });

  it.each([
    '15551234567',
    'amount 15551234567',
    '+155512345678',
    'x.ada.l@example.com',
    'ada.l@example.com.au',
    'adaXl@example.com',
    'nothing',
  ])('leaves %j', (text) => {
    expect(inText(text)).toBeUndefined();
  });

  it('replaces an exact value only when it is the whole text', () => {
    expect(inText('meter 4711-22', { exact: '4711-22' })).toBeUndefined();
    expect(inText('4711-22', { exact: '4711-22' })).toBe(erasedMarker);
  });
});

describe('eraseJson', () => {
  it('changes strings only, and leaves numbers, spaces and the order of members', () => {
    const before =
      '{ "z": 15551234567, "amount":"15551234567", "big": 12345678901234567890.10, "phone" : "15551234567", "a":["+1 555 123 4567", {"mail":"ADA.L@example.com"}] }';
    expect(inJson(before)).toBe(
      '{ "z": 15551234567, "amount":"15551234567", "big": 12345678901234567890.10, "phone" : "[erased]", "a":["[erased]", {"mail":"[erased]"}] }',
    );
  });

  it('reads escapes of JSON', () => {
    expect(inJson('{"note":"line\\nada.l\\u0040example.com \\"x\\""}')).toBe(
      '{"note":"line\\n[erased] \\"x\\""}',
    );
  });

  it.each(['phone', 'to', 'recipientPhone', 'subscriberAccountNumber', 'mobile_number'])(
    'replaces digits without + under the name %s',
    (name) => {
      expect(inJson(`{"${name}":"15551234567"}`)).toBe(`{"${name}":"[erased]"}`);
    },
  );

  it('finds nothing in text that is already erased', () => {
    const once = inJson('{"to":"15551234567","x":"ada.l@example.com"}')!;
    expect(inJson(once)).toBeUndefined();
  });
});

describe('personMatcher', () => {
  it.each([
    [{ phone: '5551234567' }, 'E.164'],
    [{ phone: '+1' }, 'E.164'],
    [{ email: 'ada' }, 'e-mail'],
    [{ email: '"a b"@example.com' }, 'e-mail'],
    [{ exact: 'abc' }, '4 characters'],
    [{}, 'Name a phone number'],
  ])('rejects %j', (person: Person, message) => {
    expect(() => personMatcher(person)).toThrow(message);
  });

  it('omits a rejected value from the error', () => {
    expect(() => personMatcher({ email: 'secret person' })).toThrow(/^(?!.*secret person)/);
  });
});
