import { UnreadableReply } from '@tollbridge/http';
import { parseLatestRates, readLatestRates } from './latest-rates';

const atMs = 1_795_000_000_000;

/** The reply in the form that the provider documents, with these members of `rates`. */
const reply = (rates: string, rest = '"timestamp": 1795000000, "base": "USD"') => `{
  "disclaimer": "Usage subject to terms: https://openexchangerates.org/terms",
  "license": "https://openexchangerates.org/license",
  ${rest},
  "rates": {${rates}}
}`;
const read = (text: string) => readLatestRates(parseLatestRates(text));

describe('readLatestRates', () => {
  it('returns the rates with the digits of the provider', () => {
    expect(read(reply('"AED": 3.6731, "EUR": 0.921405, "JPY": 150, "VEF_DICOM": 1, "USD": 1'))).toEqual([
      { currency: 'AED', perUsd: '3.6731', atMs },
      { currency: 'EUR', perUsd: '0.921405', atMs },
      { currency: 'JPY', perUsd: '150', atMs },
    ]);
  });

  it.each([
    ['89559.500123', '89559.500123'],
    ['1.5e3', '1500'],
    ['6.2e-7', '0.00000062'],
    ['0.10', '0.1'],
    ['0.1234567890123', '0.123456789012'],
  ])('reads the number %s as %s', (number, perUsd) => {
    expect(read(reply(`"EUR": ${number}`))).toEqual([{ currency: 'EUR', perUsd, atMs }]);
  });

  it('ignores codes that are not currencies of ISO 4217, whatever their values', () => {
    const others = '"BTC": 0, "XAU": -1, "CLF": "x", "GGP": null, "__proto__": 1, "constructor": 2';
    expect(read(reply(`${others}, "EUR": 0.92`)).map(({ currency }) => currency)).toEqual(['EUR']);
  });

  it('accepts a currency that is repeated with the same rate', () => {
    expect(read(reply('"EUR": 0.92, "EUR": 0.92'))).toHaveLength(1);
  });

  it.each([
    ['no rates', reply(''), 'the reply has no rates'],
    ['rates of unknown codes only', reply('"BTC": 1, "USD": 1'), 'the reply has no rates'],
    ['rates that are missing', '{"timestamp": 1, "base": "USD"}', 'rates is not an object'],
    ['rates in a list', '{"timestamp": 1, "base": "USD", "rates": [1]}', 'rates is not an object'],
    ['an error of the provider', '{"error": true, "status": 401}', 'base is not USD'],
    ['a list', '[]', 'the reply is not an object'],
    ['null', 'null', 'the reply is not an object'],
    ['another base', reply('"EUR": 0.92', '"timestamp": 1, "base": "EUR"'), 'base is not USD'],
    ['no base', reply('"EUR": 0.92', '"timestamp": 1'), 'base is not USD'],
    ['no time', reply('"EUR": 0.92', '"base": "USD"'), 'timestamp is not a whole number'],
    ['a time as text', reply('"EUR": 0.92', '"timestamp": "1", "base": "USD"'), 'timestamp is not'],
    ['a negative time', reply('"EUR": 0.92', '"timestamp": -1, "base": "USD"'), 'timestamp is not'],
    ['a repeated currency', reply('"EUR": 0.92, "EUR": 0.93'), 'several rates of EUR'],
    ['a repeated base', reply('"EUR": 0.92', '"base": "USD", "base": "EUR"'), 'base is not USD'],
    ['a rate of 0', reply('"EUR": 0'), 'the rate of EUR is not above 0'],
    ['a rate of -0', reply('"EUR": -0'), 'the rate of EUR is not above 0'],
    ['a negative rate', reply('"EUR": -0.92'), 'the rate of EUR is not a number'],
    ['a rate as text', reply('"EUR": "0.92"'), 'the rate of EUR is not a number'],
    ['a rate that is null', reply('"EUR": null'), 'the rate of EUR is not a number'],
    ['a rate above every number', reply('"EUR": 1e400'), 'the rate of EUR is not a number'],
    ['a rate of too many digits', reply('"EUR": 1e40'), 'the rate of EUR is not a number'],
    ['one bad rate among good ones', reply('"JPY": 150, "EUR": -1'), 'the rate of EUR is not a number'],
  ])('rejects the whole reply for %s', (_case, text, reason) => {
    expect(() => read(text)).toThrow(UnreadableReply);
    expect(() => read(text)).toThrow(reason);
  });
});

describe('parseLatestRates', () => {
  it.each(['', '{', '{"rates": NaN}', '<html>'])('throws for %j', (text) => {
    expect(() => parseLatestRates(text)).toThrow(SyntaxError);
  });
});
