import { UnreadableReply } from '@tollbridge/http';
import { readEurofxref } from './eurofxref';

const fridayMs = Date.UTC(2026, 9, 2, 15);

/** The file in the form that the bank publishes. */
const file = (
  cubes = "<Cube currency='USD' rate='1.25'/>\n\t\t\t<Cube currency='JPY' rate='187.50'/>",
  time = "time='2026-10-02'",
) => `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
\t<gesmes:subject>Reference rates</gesmes:subject>
\t<gesmes:Sender>
\t\t<gesmes:name>European Central Bank</gesmes:name>
\t</gesmes:Sender>
\t<Cube>
\t\t<Cube ${time}>
\t\t\t${cubes}
\t\t</Cube>
\t</Cube>
</gesmes:Envelope>`;

const usd = "<Cube currency='USD' rate='1.25'/>";

describe('readEurofxref', () => {
  it('divides the rates per euro by the rate of the dollar, at 15:00 UTC of the day', () => {
    expect(readEurofxref(file())).toEqual([
      { currency: 'JPY', perUsd: '150', atMs: fridayMs },
      { currency: 'EUR', perUsd: '0.8', atMs: fridayMs },
    ]);
  });

  it('returns at most 12 significant digits of the exact quotient', () => {
    const readings = readEurofxref(
      file(
        "<Cube currency='USD' rate='1.1225'/><Cube currency='GBP' rate='0.85033'/><Cube currency='IDR' rate='19432.66'/>",
      ),
    );
    expect(readings.map(({ currency, perUsd }) => [currency, perUsd])).toEqual([
      ['GBP', '0.757532293986'],
      ['IDR', '17311.9465478'],
      ['EUR', '0.890868596881'],
    ]);
  });

  it('ignores currencies that are not in ISO 4217', () => {
    const readings = readEurofxref(file(`${usd}<Cube currency='QQQ' rate='5'/>`));
    expect(readings.map(({ currency }) => currency)).toEqual(['EUR']);
  });

  it('accepts double quotes, comments and a byte order mark', () => {
    const text = file('<!-- daily --><Cube currency="USD" rate="1.25"></Cube>', 'time="2026-10-02"');
    expect(readEurofxref(`\ufeff${text}`)).toHaveLength(1);
  });

  const expanded = `<!DOCTYPE lolz [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>`;
  const declaration = '<?xml version="1.0" encoding="UTF-8"?>';
  const withType = (type: string) => file().replace(declaration, declaration + type);
  const rejected: [string, string, string][] = [
    ['an empty text', '', 'not well-formed'],
    ['JSON', '{"USD": 1}', 'not well-formed'],
    ['a page', '<html><body>Access denied</body></html>', 'the root is not gesmes:Envelope'],
    ['a truncated file', file().slice(0, -10), 'not well-formed'],
    ['an unclosed element', file(usd).replace('</gesmes:Sender>', ''), 'not well-formed'],
    ['a second root', file() + file().replace(declaration, ''), 'not well-formed'],
    ['an entity bomb', withType(expanded), 'document type'],
    ['an external entity', withType('<!DOCTYPE x SYSTEM "file:///etc/passwd">'), 'document type'],
    ['a document type in lower case', withType('<!doctype html>'), 'document type'],
    ['thousands of nested elements', '<a>'.repeat(5_000) + '</a>'.repeat(5_000), 'not well-formed'],
    ['an element named __proto__', '<__proto__><Cube/></__proto__>', 'not well-formed'],
    ['another namespace', file().replace('/eurofxref', '/other'), 'xmlns is not'],
    ['another prefix of the envelope', file().replaceAll('gesmes:', 'g:'), 'the root is not gesmes:Envelope'],
    ['an envelope without attributes', '<gesmes:Envelope/>', 'Envelope is not an object'],
    ['an envelope without Cube', file().replace(/\t<Cube>[^]*<\/Cube>\n/, ''), 'Envelope must have one Cube'],
    ['two days', file(`${usd}</Cube><Cube time='2026-10-01'>${usd}`), 'Envelope.Cube must have one Cube'],
    ['no day', file(usd, ''), 'Cube.time is not a date'],
    ['a day that is not in the calendar', file(usd, "time='2026-02-30'"), 'Cube.time is not a date'],
    ['a month that is not in the calendar', file(usd, "time='2026-13-01'"), 'Cube.time is not a date'],
    ['a day in another form', file(usd, "time='02.10.2026'"), 'Cube.time is not a date'],
    ['no rates', file(''), 'the file has no rates'],
    ['no rate of the dollar', file("<Cube currency='JPY' rate='187.50'/>"), 'no rate of USD'],
    ['a repeated currency', file(`${usd}${usd}`), 'several rates of USD'],
    ['a rate of the euro', file(`${usd}<Cube currency='EUR' rate='1'/>`), 'several rates of EUR'],
    ['a repeated attribute', file("<Cube currency='USD' rate='1' rate='2'/>"), 'not well-formed'],
    ['a rate of 0', file(`${usd}<Cube currency='JPY' rate='0'/>`), 'the rate of JPY is not above 0'],
    ['a rate of 0.00', file(`${usd}<Cube currency='JPY' rate='0.00'/>`), 'the rate of JPY is not above 0'],
    ['a rate of the dollar of 0', file("<Cube currency='USD' rate='0'/>"), 'the rate of USD is not above 0'],
    ['a negative rate', file(`${usd}<Cube currency='JPY' rate='-1'/>`), 'the rate of JPY is not a decimal'],
    ['a rate that is not available', file(`${usd}<Cube currency='JPY' rate='N/A'/>`), 'is not a decimal'],
    ['a rate with an exponent', file(`${usd}<Cube currency='JPY' rate='1e3'/>`), 'is not a decimal'],
    ['a rate with a comma', file(`${usd}<Cube currency='JPY' rate='187,5'/>`), 'is not a decimal'],
    ['a rate with an entity', file(`${usd}<Cube currency='JPY' rate='&#49;'/>`), 'is not a decimal'],
    ['an empty rate', file(`${usd}<Cube currency='JPY' rate=''/>`), 'is not a decimal'],
    [
      'a rate of a thousand digits',
      file(`${usd}<Cube currency='JPY' rate='${'9'.repeat(1_000)}'/>`),
      'is not a decimal',
    ],
    ['a currency without a rate', file(`${usd}<Cube currency='JPY'/>`), 'the rate of JPY is not a decimal'],
    ['a rate without a currency', file(`${usd}<Cube rate='1'/>`), 'Cube.currency is not a currency code'],
    ['a currency in lower case', file(`${usd}<Cube currency='jpy' rate='1'/>`), 'not a currency code'],
    ['an element without attributes', file(`${usd}<Cube/>`), 'Cube is not an object'],
    [
      'rates that differ by thirty powers of ten',
      file(`<Cube currency='USD' rate='1${'0'.repeat(30)}'/><Cube currency='JPY' rate='0.1'/>`),
      'the rate of JPY is too small',
    ],
  ];
  it.each(rejected)('rejects the whole file for %s', (_case, text, reason) => {
    expect(() => readEurofxref(text)).toThrow(UnreadableReply);
    expect(() => readEurofxref(text)).toThrow(reason);
  });

  it('quotes no part of the file in its errors', () => {
    const secret = 'hunter2';
    for (const text of [`<${secret}>`, `<${secret}/>`, file(`${usd}<Cube currency='${secret}' rate='1'/>`)])
      expect(() => readEurofxref(text)).not.toThrow(secret);
  });
});
