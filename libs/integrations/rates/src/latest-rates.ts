// Source: https://docs.openexchangerates.org/reference/latest-json
import { readCount, readFields, UnreadableReply } from '@tollbridge/http';
import { currencyDigits, Decimal, decimalText } from '@tollbridge/money';
import { parse } from 'lossless-json';
import type { FiatReading } from './fiat-rate';

const significantDigits = 12;
const duplicate = Symbol('duplicate');

/** Parses a reply so that `readLatestRates` can reject a currency with two rates. @throws SyntaxError */
export function parseLatestRates(text: string): unknown {
  return parse(text, null, { parseNumber: Number, onDuplicateKey: () => duplicate });
}

/**
 * Reads the reply of `latest.json`, with rates per US dollar. Codes that are not currencies of ISO 4217 are ignored,
 * such as BTC and XAU.
 * @throws UnreadableReply with the reason for a reply that is not valid in any part
 */
export function readLatestRates(reply: unknown): FiatReading[] {
  const { base, timestamp, rates } = readFields(reply, 'the reply');
  if (base !== 'USD') throw new UnreadableReply('base is not USD');
  const atMs = readCount(timestamp, 'timestamp') * 1_000;
  const readings = Object.entries(readFields(rates, 'rates'))
    .filter(([currency]) => currencyDigits(currency) !== undefined && currency !== 'USD')
    .map(([currency, rate]) => ({ currency, perUsd: readRate(currency, rate), atMs }));
  if (readings.length === 0) throw new UnreadableReply('the reply has no rates');
  return readings;
}

function readRate(currency: string, value: unknown): string {
  if (value === duplicate) throw new UnreadableReply(`the reply has several rates of ${currency}`);
  const text = decimalText(value);
  if (text === undefined) throw new UnreadableReply(`the rate of ${currency} is not a number of at least 0`);
  const rate = Decimal.of(text);
  if (rate.isZero) throw new UnreadableReply(`the rate of ${currency} is not above 0`);
  return rate.significantDown(significantDigits).text;
}
