import { candidatesIn, type Candidate } from './candidates';
import { codeLabels, currencyBefore, otherLabels, unitsAfter } from './labels';
import { textOfHtml } from './plain-text';

// A code is near the beginning of a message; texts from strangers may have any length.
const maxTextLength = 20_000;
const maxHtmlLength = 200_000;
// The largest distances from a number: to a label before it, to a label after it, to the label of another number.
const [farthestBefore, farthestAfter, farthestOther] = [100, 60, 24];
const sentenceEnds = ['. ', '! ', '? ', '.\n', '!\n', '?\n', '。', '！', '।'];
// Within this distance (`code: #`, `PIN is `), a label is decisive.
const besideLabel = 6;
const longestLabel = 26;
const sentenceCost = 25;
const otherNumberCost = 30;
// A number with a lower score is probably not a code.
const leastScore = 25;

export interface MailText {
  subject: string;
  text: string;
  /** Used when the text contains no code, because many mails have HTML only. */
  html?: string;
}

/** Returns the code in a confirmation mail; null when no number is likely to be a code. */
export function extractMailCode({ subject, text, html = '' }: MailText): string | null {
  const fromText = extractCode(`${subject}\n\n${text}`);
  if (fromText !== null || html === '') return fromText;
  return extractCode(`${subject}\n\n${textOfHtml(html.slice(0, maxHtmlLength))}`);
}

/**
 * Returns the code in a short message, without separators between groups of digits: `123-456` is `123456`.
 * The duration is proportional to the length of the text. Only the first 20,000 characters are read.
 */
export function extractCode(message: string): string | null {
  const text = plain(message.slice(0, maxTextLength));
  const lower = lowerCase(text);
  const others = placesOf(otherLabels, lower);
  const codes = placesOf(codeLabels, lower).filter((it) => !isWithin(it, others));
  const found = candidatesIn(text).filter(
    (it) => !isAmount(it, lower) && !isOther(it, { lower, codes, others }),
  );
  const scored = found
    .map((it) => ({ code: it.code, score: scoreOf(it, found, lower, codes) }))
    .filter(({ score }) => score >= leastScore);
  const [best, ...rest] = scored.sort((one, other) => other.score - one.score);
  if (!best) return null;
  // Two different numbers without a label: neither is more likely.
  const isTie = rest.some(({ score, code }) => score === best.score && code !== best.code);
  return isTie && best.score < labelledScore ? null : best.code;
}

const labelledScore = 60;

/** Replaces characters one by one, so that offsets do not change. */
function lowerCase(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text.replace(/[A-Z]/g, (it) => it.toLowerCase());
}

const invisible = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
// The digit zero of each other script.
const zeros = [0x0660, 0x06f0, 0x0966, 0x09e6, 0x0e50];

/** Replaces full-width forms, digits of other scripts, and all kinds of dashes and spaces. */
function plain(message: string): string {
  return (
    message
      // NFKC turns these into ASCII punctuation. Without a space, a comma would look like part of an amount.
      .replace(/[，、；：]/g, '$& ')
      .normalize('NFKC')
      .replace(invisible, '')
      .replace(/[\u2010-\u2015\u2212]/g, '-')
      .replace(/[\u00a0\u2000-\u200a\u202f\u205f\u3000\t]/g, ' ')
      .replace(/ {2,}/g, ' ')
      .replace(/\r\n?/g, '\n')
      .replace(/[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef\u0e50-\u0e59]/g, (digit) => {
        const code = digit.charCodeAt(0);
        return String(code - zeros.findLast((zero) => zero <= code)!);
      })
  );
}

interface Place {
  start: number;
  end: number;
}

function placesOf(labels: readonly string[], lower: string): Place[] {
  const places: Place[] = [];
  for (const label of labels)
    for (let at = lower.indexOf(label); at >= 0; at = lower.indexOf(label, at + label.length)) {
      const place = { start: at, end: at + label.length };
      if (isWord(lower, place)) places.push(place);
    }
  return places.sort((one, other) => one.start - other.start);
}

const letter = /[a-z\u00df-\u024f\u0370-\u052f]/;
const isLetter = (text: string | undefined): boolean => text !== undefined && letter.test(text);

/**
 * Whether a label is a word here: `pin` is not in `shopping`, but `code` is in `Sicherheitscode`, and `код` in `кодом`.
 */
function isWord(lower: string, { start, end }: Place): boolean {
  const isLong = end - start >= 4 || lower.charCodeAt(start) > 0x7f;
  if (isLetter(lower[start]) && isLetter(lower[start - 1]) && !isLong) return false;
  return !(isLetter(lower[end - 1]) && isLetter(lower[end]) && !isLong);
}

/** @param places sorted by their start */
function isWithin({ start, end }: Place, places: readonly Place[]): boolean {
  return near(places, start - farthestOther, end).some((it) => it.start <= start && end <= it.end);
}

/** The places that start between two offsets. */
function near(places: readonly Place[], from: number, to: number): readonly Place[] {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (places[middle]!.start < from) low = middle + 1;
    else high = middle;
  }
  let end = low;
  while (end < places.length && places[end]!.start <= to) end++;
  return places.slice(low, end);
}

function isAmount({ start, end }: Place, lower: string): boolean {
  const before = lower.slice(Math.max(0, start - 6), start).replace(/ +$/, '');
  // A unit must be on the same line.
  const behind = lower.slice(end, end + 12).replace(/^ +/, '');
  const isBefore = (unit: string) =>
    before.endsWith(unit) && !(isLetter(unit[0]) && isLetter(before.at(-unit.length - 1)));
  const isBehind = (unit: string) =>
    behind.startsWith(unit) && !(isLetter(unit.at(-1)) && isLetter(behind[unit.length]));
  return currencyBefore.some(isBefore) || unitsAfter.some(isBehind);
}

interface Surroundings {
  lower: string;
  codes: readonly Place[];
  others: readonly Place[];
}

/** Whether a word before the number names an order, a page or a house, and no code label is closer. */
function isOther(it: Place, { lower, codes, others }: Surroundings): boolean {
  const isNamed = near(others, it.start - farthestOther - longestLabel, it.start).some(
    ({ end }) => end <= it.start && isSpokenOf(lower.slice(end, it.start)),
  );
  return (
    isNamed &&
    !near(codes, it.start - besideLabel - longestLabel, it.start).some(
      ({ end }) => end <= it.start && it.start - end <= besideLabel,
    )
  );
}

function scoreOf(it: Candidate, all: readonly Candidate[], lower: string, codes: readonly Place[]): number {
  const cost = (from: number, to: number): number =>
    costOf(lower.slice(from, to)) + otherNumberCost * between(all, from, to);
  const before = near(codes, it.start - farthestBefore - longestLabel, it.start)
    .filter(({ end }) => end <= it.start)
    .map(({ end }) => 100 - cost(end, it.start));
  const behind = near(codes, it.end, it.end + farthestAfter).map(
    ({ start }) => 90 - 1.5 * cost(it.end, start),
  );
  const labelled = Math.max(0, ...before, ...behind);
  if (it.needsLabel && labelled === 0) return 0;
  // Without a label, only a number that has no other meaning counts.
  const base = labelled > 0 ? labelled : it.code.length === 6 ? 20 : 0;
  const isBeside = Math.max(0, ...before) >= 100 - besideLabel;
  const year = it.looksLikeYear ? (isBeside ? 30 : 80) : 0;
  return base + formBonus(it) - year;
}

function formBonus({ code, isAlone, needsLabel }: Candidate): number {
  const length = code.length === 6 ? 10 : 3;
  return length + (isAlone ? 25 : 0) - (needsLabel ? 8 : 0);
}

const between = (all: readonly Candidate[], from: number, to: number): number =>
  near(all, from, to).filter(({ end }) => end <= to).length;

/** Returns the distance between two places. The end of a sentence adds to it, and a blank line counts as one space. */
function costOf(text: string): number {
  const sentences = sentenceEnds.filter((end) => text.includes(end)).length;
  return text.replace(/\s+/g, ' ').length + sentenceCost * sentences;
}

const connecting = new Set([
  'number',
  'numbers',
  'num',
  'no',
  'nr',
  'id',
  'is',
  'was',
  'the',
  'in',
  'with',
  'ending',
]);
for (const word of [
  'ist',
  'lautet',
  'nummer',
  'est',
  'es',
  'numero',
  'número',
  'numéro',
  'номер',
  'номера',
  'code',
])
  connecting.add(word);

/** Whether a label of another number refers to the following text: only connecting words are between them. */
function isSpokenOf(text: string): boolean {
  if (text.length > farthestOther || /[0-9,;!?\n]/.test(text) || text.includes('. ')) return false;
  return (text.match(/\p{L}+/gu) ?? []).every((word) => connecting.has(word));
}
