// Source: the daily file of euro foreign exchange reference rates, with the elements gesmes:Envelope and Cube.
// https://www.ecb.europa.eu/stats/policy_and_exchange_rates/euro_reference_exchange_rates
import { readFields, readTextLike, UnreadableReply, type Fields } from '@tollbridge/http';
import { currencyDigits, Decimal, isDecimalText } from '@tollbridge/money';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import type { FiatReading } from './fiat-rate';

const namespaces = {
  '@xmlns:gesmes': 'http://www.gesmes.org/xml/2002-08-01',
  '@xmlns': 'http://www.ecb.int/vocabulary/2002-08-01/eurofxref',
};
// The bank publishes at about 16:00 CET, an hour earlier in UTC during summer.
const publishedAt = 'T15:00:00.000Z';
// More than the digits of a rate, for a quotient of rates that differ by up to 18 powers of ten.
const quotientDigits = 30;
const significantDigits = 12;

// Entities stay as they are: the file has none, and the form of each value rejects them.
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseAttributeValue: false,
  parseTagValue: false,
  processEntities: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
  isArray: (name) => name === 'Cube',
});

/**
 * Reads the daily file. Its rates are per euro; they are divided by the rate of the dollar.
 * @throws UnreadableReply with the reason for a file that is not valid in any part
 */
export function readEurofxref(text: string): FiatReading[] {
  const envelope = parseEnvelope(text);
  const day = onlyCube(onlyCube(envelope, 'Envelope'), 'Envelope.Cube');
  const atMs = readDay(day['@time']);
  const perEuro = readRates(day);
  const dollar = perEuro.get('USD');
  if (!dollar) throw new UnreadableReply('the file has no rate of USD');
  perEuro.delete('USD');
  perEuro.set('EUR', Decimal.one);
  return [...perEuro]
    .filter(([currency]) => currencyDigits(currency) !== undefined)
    .map(([currency, rate]) => ({ currency, perUsd: perDollar(rate, dollar, currency), atMs }));
}

function parseEnvelope(text: string): Fields {
  // A document type could define entities, and the file of the bank has none.
  if (/<!doctype/i.test(text)) throw new UnreadableReply('the file has a document type');
  const document = readFields(parseXml(text), 'the file');
  const names = Object.keys(document);
  if (names.join() !== 'gesmes:Envelope') throw new UnreadableReply('the root is not gesmes:Envelope');
  const envelope = readFields(document['gesmes:Envelope'], 'Envelope');
  for (const [name, uri] of Object.entries(namespaces))
    if (envelope[name] !== uri) throw new UnreadableReply(`${name.slice(1)} is not ${uri}`);
  return envelope;
}

/** The validator finds what the parser tolerates: tags without an end, a second root, repeated attributes. */
function parseXml(text: string): unknown {
  try {
    if (XMLValidator.validate(text) === true) return parser.parse(text);
  } catch {
    // The message of the parser may quote the file.
  }
  throw new UnreadableReply('the file is not well-formed XML');
}

function onlyCube(parent: Fields, path: string): Fields {
  const cubes = parent['Cube'];
  if (!Array.isArray(cubes) || cubes.length !== 1) throw new UnreadableReply(`${path} must have one Cube`);
  return readFields(cubes[0], `${path}.Cube`);
}

function readDay(value: unknown): number {
  const day = readTextLike(value, 'Cube.time', /^\d{4}-\d{2}-\d{2}$/, 'a date');
  const atMs = Date.parse(day + publishedAt);
  // Some days are parsed as days of the next month: 2026-02-30 is 2026-03-02.
  if (Number.isNaN(atMs) || !new Date(atMs).toISOString().startsWith(day))
    throw new UnreadableReply('Cube.time is not a date');
  return atMs;
}

function readRates(day: Fields): Map<string, Decimal> {
  const cubes = day['Cube'];
  if (!Array.isArray(cubes)) throw new UnreadableReply('the file has no rates');
  // The euro is the base.
  const seen = new Set(['EUR']);
  const rates = new Map<string, Decimal>();
  for (const cube of cubes) {
    const fields = readFields(cube, 'Cube');
    const currency = readTextLike(fields['@currency'], 'Cube.currency', /^[A-Z]{3}$/, 'a currency code');
    if (seen.has(currency)) throw new UnreadableReply(`the file has several rates of ${currency}`);
    seen.add(currency);
    const rate = fields['@rate'];
    if (!isDecimalText(rate)) throw new UnreadableReply(`the rate of ${currency} is not a decimal`);
    rates.set(currency, Decimal.of(rate));
    if (rates.get(currency)!.isZero) throw new UnreadableReply(`the rate of ${currency} is not above 0`);
  }
  return rates;
}

function perDollar(rate: Decimal, dollar: Decimal, currency: string): string {
  const quotient = rate.dividedDown(dollar, quotientDigits).significantDown(significantDigits);
  if (quotient.isZero) throw new UnreadableReply(`the rate of ${currency} is too small`);
  return quotient.text;
}
