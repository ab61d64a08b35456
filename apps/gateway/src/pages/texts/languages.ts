import type { FastifyRequest } from 'fastify';
import { ar } from './ar';
import { de } from './de';
import { en } from './en';
import { es } from './es';
import { fr } from './fr';
import { he } from './he';
import { it } from './it';
import { ja } from './ja';
import { Language, type LanguageTerms } from './language';
import { pt } from './pt';
import { ru } from './ru';
import { tr } from './tr';
import { zh } from './zh';

const ltr = 'ltr' as const;
const rtl = 'rtl' as const;

/** In the order of the menu. */
export const languages: readonly LanguageTerms[] = [
  { code: 'en', name: 'English', direction: ltr, texts: en, locale: 'en-GB' },
  { code: 'es', name: 'Español', direction: ltr, texts: es },
  { code: 'pt', name: 'Português', direction: ltr, texts: pt },
  { code: 'fr', name: 'Français', direction: ltr, texts: fr },
  { code: 'de', name: 'Deutsch', direction: ltr, texts: de },
  { code: 'it', name: 'Italiano', direction: ltr, texts: it },
  { code: 'tr', name: 'Türkçe', direction: ltr, texts: tr },
  { code: 'ru', name: 'Русский', direction: ltr, texts: ru },
  { code: 'zh', name: '简体中文', direction: ltr, texts: zh, locale: 'zh-Hans' },
  { code: 'ja', name: '日本語', direction: ltr, texts: ja },
  { code: 'ar', name: 'العربية', direction: rtl, texts: ar },
  { code: 'he', name: 'עברית', direction: rtl, texts: he },
];

/** Of pages that have no other, and of payers with a language that is missing. */
export const english = new Language(languages[0]!);

// Browsers send a few languages; the rest of a longer header is not read.
const longestHeader = 256;
const mostRanges = 16;
// The code before 1989, which some browsers still send.
const formerCodes: Readonly<Record<string, string>> = { iw: 'he' };

/** The language of a request: that of `?lang=`, else the first known one of `Accept-Language`, else English. */
export function languageOf({ query, headers }: Pick<FastifyRequest, 'query' | 'headers'>): Language {
  const { lang } = (query ?? {}) as { lang?: unknown };
  const chosen = typeof lang === 'string' ? termsOf(lang) : undefined;
  if (chosen) return new Language(chosen, true);
  const accepted = acceptedLanguage(headers['accept-language'] ?? '');
  return accepted ? new Language(accepted) : english;
}

/** RFC 9110, section 12.5.4: the ranges by falling quality, each by its first subtag. */
function acceptedLanguage(header: string): LanguageTerms | undefined {
  const ranges = header.slice(0, longestHeader).split(',', mostRanges);
  const weighted = ranges.map((range) => {
    const [tag = '', ...parameters] = range.split(';');
    return { terms: termsOf(tag.trim().split('-')[0]!), weight: weightOf(parameters) };
  });
  // The sort is stable: ranges of the same quality keep their order.
  const known = weighted.filter(({ terms, weight }) => terms !== undefined && weight > 0);
  return known.sort((a, b) => b.weight - a.weight)[0]?.terms;
}

function weightOf(parameters: readonly string[]): number {
  const given = parameters.map((text) => text.trim()).find((text) => /^q=/i.test(text));
  if (given === undefined) return 1;
  return /^[01](\.\d{0,3})?$/.test(given.slice(2)) ? Number(given.slice(2)) : 0;
}

function termsOf(given: string): LanguageTerms | undefined {
  const code = given.toLowerCase();
  return languages.find((it) => it.code === (formerCodes[code] ?? code));
}
