import { html, type Html } from '../parts/html';
import type en from './en.json';
import type { Placeholders } from './placeholders';

export type TextKey = keyof (typeof en)['pages'];
/** One text, or one for each plural form of the language. The value of `{count}` selects the plural form. */
export type Text = string | PluralText;
export type PluralText = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>;
/** The texts of one language. */
export type Texts = Readonly<Record<TextKey, Text>>;

export type Direction = 'ltr' | 'rtl';

/** A language of the pages. Its name is in the language itself. */
export interface LanguageTerms {
  /** The BCP 47 code, as in `?lang=`. */
  code: string;
  name: string;
  direction: Direction;
  texts: Texts;
  /** For dates and numbers, if it differs from the code. */
  locale?: string;
}

/** The values of a text: none, or one for each of its placeholders. */
type ValuesOf<Key extends TextKey, Value> = Key extends keyof Placeholders
  ? [values: Readonly<Record<Placeholders[Key], Value>>]
  : [];

const decimal = /^\d+(\.\d+)?$/;
const placeholder = /\{(\w+)\}/;
// The characters FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE, so that a value never reorders the text around it.
const [isolate, endOfIsolate] = ['\u2068', '\u2069'];

/** The language of one page, with all texts of the pages. */
export class Language {
  readonly code: string;
  readonly name: string;
  readonly direction: Direction;
  private readonly texts: Texts;
  private readonly locale: string;

  /** @param isChosen whether the URL contains the language, so that links and forms of the page keep it */
  constructor(
    terms: LanguageTerms,
    private readonly isChosen = false,
  ) {
    this.code = terms.code;
    this.name = terms.name;
    this.direction = terms.direction;
    this.texts = terms.texts;
    this.locale = terms.locale ?? terms.code;
  }

  /** A text without markup, for titles, attributes and the script. */
  readonly text = <Key extends TextKey>(key: Key, ...[values]: ValuesOf<Key, string>): string => {
    const isolated = (value: string) =>
      this.direction === 'rtl' ? `${isolate}${value}${endOfIsolate}` : value;
    const given = (values ?? {}) as Record<string, string>;
    return this.partsOf(key, given)
      .map((part, index) => (index % 2 === 0 ? part : isolated(given[part] ?? '')))
      .join('');
  };

  /** A text that isolates the direction of every value. Values may be markup. */
  readonly rich = <Key extends TextKey>(key: Key, ...[values]: ValuesOf<Key, Html | string>): Html => {
    const given = (values ?? {}) as Record<string, Html | string>;
    const parts = this.partsOf(key, given).map((part, index) => {
      const value = given[part];
      if (index % 2 === 0 || value === undefined) return part;
      return typeof value === 'string' ? html`<bdi>${value}</bdi>` : value;
    });
    return html`${parts}`;
  };

  /** A time in UTC, because the server does not know the reader's time zone. */
  moment(iso: string): string {
    return formatsOf(this.locale).moment.format(new Date(iso));
  }

  /** A duration in its largest whole unit, for example `10 minutes`. */
  duration(seconds: number): string {
    const { second, minute, hour } = formatsOf(this.locale);
    if (seconds < 90) return second.format(Math.max(1, Math.round(seconds)));
    return seconds < 5_400
      ? minute.format(Math.round(seconds / 60))
      : hour.format(Math.round(seconds / 3_600));
  }

  /**
   * A decimal number such as `1234.5` in the notation of the language, with all digits. Other texts are returned
   * unchanged.
   */
  amount(text: string): string {
    if (!decimal.test(text)) return text;
    const { integer, decimalSeparator } = formatsOf(this.locale);
    const [whole = '', fraction] = text.split('.');
    const shown = integer.format(BigInt(whole));
    return fraction === undefined ? shown : `${shown}${decimalSeparator}${fraction}`;
  }

  /** US dollars with two decimals, for display only. */
  dollars(usd: string): string {
    return decimal.test(usd) ? formatsOf(this.locale).usd.format(usd as `${number}`) : usd;
  }

  /** A price with the code of its currency, for example `EUR 49.90`. */
  money({ amount, currency }: { amount: string; currency: string }): string {
    if (!decimal.test(amount)) return `${amount} ${currency}`;
    return moneyFormatOf(this.locale, currency, amount.split('.')[1]?.length ?? 0).format(
      amount as `${number}`,
    );
  }

  /** Converts an entered number to a decimal point. A text with both separators is ambiguous, and is not changed. */
  entered(text: string): string {
    const isComma = formatsOf(this.locale).decimalSeparator === ',';
    return isComma ? text.replace(/^(\d+),(\d+)$/, '$1.$2') : text;
  }

  /** A path or URL of these pages that keeps the chosen language. */
  href(path: string): string {
    return this.isChosen ? `${path}${path.includes('?') ? '&' : '?'}lang=${this.code}` : path;
  }

  /** Texts at even positions, names of placeholders at odd positions. */
  private partsOf(key: TextKey, { count }: Readonly<Record<string, unknown>>): string[] {
    const text = this.texts[key];
    if (typeof text === 'string') return text.split(placeholder);
    const form = formatsOf(this.locale).plural.select(Number(count));
    return (text[form] ?? text.other).split(placeholder);
  }
}

/** Amounts, addresses and hashes, which are left-to-right in every language. */
export const ltr = (text: string): Html => html`<bdi dir="ltr">${text}</bdi>`;

interface Formats {
  moment: Intl.DateTimeFormat;
  second: Intl.NumberFormat;
  minute: Intl.NumberFormat;
  hour: Intl.NumberFormat;
  integer: Intl.NumberFormat;
  usd: Intl.NumberFormat;
  plural: Intl.PluralRules;
  decimalSeparator: string;
}

// Rounds down, so that a value is never shown too high.
const dollarFormat = {
  style: 'currency',
  currency: 'USD',
  currencyDisplay: 'narrowSymbol',
  roundingMode: 'trunc',
} as const;
// Creating a format takes longer than rendering a page. One entry for each language.
const formats = new Map<string, Formats>();

// One entry for each language and currency that was shown.
const moneyFormats = new Map<string, Intl.NumberFormat>();

/** The digits come from the price, because ISO 4217 and the data of the runtime differ for some currencies. */
function moneyFormatOf(locale: string, currency: string, digits: number): Intl.NumberFormat {
  const key = `${locale} ${currency} ${digits}`;
  const known = moneyFormats.get(key);
  if (known) return known;
  const format = new Intl.NumberFormat(latinOf(locale), {
    style: 'currency',
    currency,
    currencyDisplay: 'code',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  moneyFormats.set(key, format);
  return format;
}

const latinOf = (locale: string): string => `${locale}-u-ca-gregory-nu-latn`;

function formatsOf(locale: string): Formats {
  const known = formats.get(locale);
  if (known) return known;
  const latin = latinOf(locale);
  const unit = (name: string) =>
    new Intl.NumberFormat(latin, { style: 'unit', unit: name, unitDisplay: 'long' });
  const integer = new Intl.NumberFormat(latin);
  const made: Formats = {
    moment: new Intl.DateTimeFormat(latin, {
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
      timeZone: 'UTC',
      timeZoneName: 'short',
    }),
    second: unit('second'),
    minute: unit('minute'),
    hour: unit('hour'),
    integer,
    usd: new Intl.NumberFormat(latin, dollarFormat),
    plural: new Intl.PluralRules(locale),
    decimalSeparator: integer.formatToParts(1.5).find(({ type }) => type === 'decimal')!.value,
  };
  formats.set(locale, made);
  return made;
}
