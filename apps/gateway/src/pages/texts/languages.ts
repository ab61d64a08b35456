import type { FastifyRequest } from 'fastify';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Language, type Direction, type LanguageTerms, type TextKey, type Texts } from './language';

/** A file of this folder, for example `de.json`. Its name is the code of the language. */
export interface LanguageFile {
  name: string;
  direction: Direction;
  locale?: string;
  /** Languages with the same position are sorted by their codes. */
  menuPosition: number;
  /** Keys of texts that are correctly the same in English, so that a test allows them. */
  sameAsEnglish?: readonly TextKey[];
  pages: Texts;
  /** The texts of `embed.js`, which the build of `apps/web` reads. */
  embed: Readonly<Record<'title' | 'close' | 'window' | 'failed' | 'retry', string>>;
}

/** The files of a folder by their codes, in the order of the menu. */
export function readLanguageFiles(folder = __dirname): [code: string, file: LanguageFile][] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  const files = names.map((name): [string, LanguageFile] => [
    name.slice(0, -'.json'.length),
    JSON.parse(readFileSync(join(folder, name), 'utf8')) as LanguageFile,
  ]);
  return files.sort(
    ([a, { menuPosition: first }], [b, { menuPosition: second }]) => first - second || (a < b ? -1 : 1),
  );
}

/** In the order of the menu. */
export const languages: readonly LanguageTerms[] = readLanguageFiles().map(
  ([code, { name, direction, locale, pages }]) => ({
    code,
    name,
    direction,
    texts: pages,
    ...(locale && { locale }),
  }),
);

/** For pages without a language, and for payers with a language that is not available. */
export const english = new Language(languages.find(({ code }) => code === 'en')!);

// Browsers send a few languages. The rest of a longer header is ignored.
const longestHeader = 256;
const mostRanges = 16;
// The codes before 1989, which some browsers still send.
const formerCodes: Readonly<Record<string, string>> = { iw: 'he' };

/**
 * The language of a request: from `?lang=`, otherwise the first available one of `Accept-Language`, otherwise English.
 */
export function languageOf({ query, headers }: Pick<FastifyRequest, 'query' | 'headers'>): Language {
  const { lang } = (query ?? {}) as { lang?: unknown };
  const chosen = typeof lang === 'string' ? termsOf(lang) : undefined;
  if (chosen) return new Language(chosen, true);
  const accepted = acceptedLanguage(headers['accept-language'] ?? '');
  return accepted ? new Language(accepted) : english;
}

/** RFC 9110, section 12.5.4: the ranges by descending quality, each by its first subtag. */
function acceptedLanguage(header: string): LanguageTerms | undefined {
  const ranges = header.slice(0, longestHeader).split(',', mostRanges);
  const weighted = ranges.map((range) => {
    const [tag = '', ...parameters] = range.split(';');
    return { terms: termsOf(tag.trim().split('-')[0]!), weight: weightOf(parameters) };
  });
  // The sort is stable, so ranges with the same quality keep their order.
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
