import { processorMsOf } from '@tollbridge/testing';
import { isCardNumber, withoutCardNumbers } from './card-numbers';
import { withoutSecrets } from './redaction';

const hidden = '[card number]';
const visa = '4111111111111111';

describe('withoutCardNumbers', () => {
  it.each([
    ['by itself', visa, hidden],
    ['in a sentence', `the card ${visa} was declined`, `the card ${hidden} was declined`],
    ['in JSON', `{"n":"${visa}","c":"x"}`, `{"n":"${hidden}","c":"x"}`],
    ['behind a word', `card${visa}`, `card${hidden}`],
    ['of 13 digits', '4222222222222', hidden],
    ['of 15 digits', '378282246310005.', `${hidden}.`],
    ['of 19 digits', '6304000000000000000', hidden],
    ['of another network', '5555555555554444, 6011111111111117', `${hidden}, ${hidden}`],
    ['in groups', 'it is 4111 1111 1111 1111.', `it is ${hidden}.`],
    ['in groups with dashes', '3782-822463-10005', hidden],
    ['behind other groups', '123 4111 1111 1111 1111 12/28', `123 ${hidden} 12/28`],
    ['twice in a row', `${visa} ${visa}`, `${hidden} ${hidden}`],
  ])('hides a card number %s', (_name, text, shown) => {
    expect(withoutCardNumbers(text)).toBe(shown);
  });

  it.each([
    ['digits with a wrong check digit', '4111111111111112'],
    ['an amount in wei', '4111111111111111000'.padEnd(22, '0')],
    ['a card number within a longer run of digits', `00${visa}0000`],
    ['a number that is too short', '424242424242'],
    ['a time in milliseconds', '1795348800008 1795348800016 1795348800024'],
    ['an amount that begins with 1', '1000000000000008'],
    ['a hash', `0x${'ab'.repeat(20)}${visa}${'c'.repeat(8)}`],
    ['an address', `0x${visa}abcdefabcdefabcdefabcdef`],
    ['an id of a trace', `${visa}abcdefabcdefabcd`],
    ['a UUID', '41111111-1111-4111-8111-111111111111'],
    ['a date and a time', '2026-11-22 12:00:07.123 and 2026-11-22'],
    ['a phone number', '+44 7400 123456'],
  ])('leaves %s unchanged', (_name, text) => {
    expect(withoutCardNumbers(text)).toBe(text);
  });

  it('needs microseconds for a log line, and a limited time for hostile text', () => {
    const line = 'a purchase could not be looked up; trying again: 0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d';
    const nsOf = (text: string, rounds: number): number => {
      for (let round = 0; round < rounds / 10; round++) withoutCardNumbers(text);
      const tookMs = processorMsOf(() => {
        for (let round = 0; round < rounds; round++) withoutCardNumbers(text);
      });
      return (tookMs * 1e6) / rounds;
    };
    // Typically 100 ns. Writing a log line takes thousands of nanoseconds.
    expect(nsOf(line, 50_000)).toBeLessThan(5_000);
    for (const part of ['4 ', '4', '41-', '4111 ', 'a4111111111111112'])
      expect(nsOf(part.repeat(Math.ceil(100_000 / part.length)), 1)).toBeLessThan(2_000_000_000);
  });
});

describe('withoutSecrets', () => {
  it('redacts card numbers in every field, as text or as a number', () => {
    const error = new Error(`declined ${visa}`, { cause: new Error(visa) });
    const logged = withoutSecrets({
      text: visa,
      number: Number(visa),
      list: [`a ${visa}`],
      deep: { er: { est: visa } },
      err: error,
      url: new URL(`http://example.com/${visa}`),
    });
    expect(JSON.stringify(logged)).not.toContain(visa);
  });

  it('leaves amounts unchanged, even if they look like card numbers', () => {
    const amounts = {
      amountAtomic: visa,
      amount: visa,
      valueWei: visa,
      priceMicros: Number(visa),
      balance: visa,
    };
    expect(withoutSecrets(amounts)).toEqual(amounts);
    expect(withoutSecrets({ amount: `for ${visa}` })).toEqual({ amount: `for ${hidden}` });
  });

  it('leaves other numbers unchanged', () => {
    const numbers = { atMs: 1_795_348_800_008, count: 42, height: 4_111_111_111_111_112, part: 4.2 };
    expect(withoutSecrets(numbers)).toEqual(numbers);
    expect([isCardNumber(4_111_111_111_111_111), isCardNumber(-1), isCardNumber(NaN)]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
