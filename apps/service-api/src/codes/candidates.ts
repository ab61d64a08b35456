/** A part of a text that may be a code. */
export interface Candidate {
  /** The code as a user types it. */
  code: string;
  start: number;
  end: number;
  /** Four digits that may be a year. */
  looksLikeYear: boolean;
  /** The line contains only this text. */
  isAlone: boolean;
  /** A text of letters and digits is often an ordinary word, so a label is required. */
  needsLabel: boolean;
}

interface Word {
  text: string;
  start: number;
  end: number;
}

// Codes have 4 to 8 digits, or 4 to 8 letters and digits.
const [shortest, longest] = [4, 8];
// In a real message, fewer numbers precede the code.
const maxCandidates = 500;

// Letters of scripts without spaces do not count as part of a word, because a code may follow them directly.
const wordForm = /[A-Za-z0-9_\u00c0-\u024f\u0370-\u052f]+/g;
const isDigits = (text: string): boolean => /^[0-9]+$/.test(text);
const visible = /[!-~]+/g;
const pageForm = /https?:|www\./i;

/** Returns the candidates in the order of the text, in one pass. The parts of a number are joined first. */
export function candidatesIn(text: string): Candidate[] {
  const readable = text.replace(visible, withoutAddress);
  const found: Candidate[] = [];
  for (const group of groupsIn(readable)) {
    for (const candidate of candidatesOf(group, readable)) found.push(candidate);
    if (found.length >= maxCandidates) break;
  }
  return found;
}

/** Hides web and mail addresses, which contain no code. */
function withoutAddress(text: string): string {
  const page = text.search(pageForm);
  const from = page < 0 && text.indexOf('@') > 0 ? 0 : page;
  return from < 0 ? text : text.slice(0, from) + '\u2022'.repeat(text.length - from);
}

/** Yields groups of words that are parts of one number: `+1 (555) 123-4567`, `12.50`, `2026-11-22`, `123 456`. */
function* groupsIn(text: string): Generator<Word[]> {
  let group: Word[] = [];
  for (const match of text.matchAll(wordForm)) {
    const word = { text: match[0], start: match.index, end: match.index + match[0].length };
    const last = group.at(-1);
    if (last && isJoined(last, word, text.slice(last.end, word.start))) group.push(word);
    else {
      if (group.length > 0) yield group;
      group = [word];
    }
  }
  if (group.length > 0) yield group;
}

function isJoined(last: Word, next: Word, separator: string): boolean {
  if (separator === '-' || separator === '_') return true;
  if (!isDigits(last.text) || !isDigits(next.text)) return false;
  return [' ', '.', ',', ':', '/', "'", ') ', ')', ' - ', '+', '·'].includes(separator);
}

function candidatesOf(group: Word[], text: string): Candidate[] {
  const [first, last] = [group[0]!, group.at(-1)!];
  const whole = text.slice(first.start, last.end);
  const before = text[first.start - 1] ?? '';
  // Excludes a number after a plus sign, and a part of a longer decimal number.
  if (before === '+' || /[0-9][.,:/]$/.test(text.slice(Math.max(0, first.start - 2), first.start))) return [];
  const parts = group.map((word) => word.text);
  const from = (code: string, words: Word[], needsLabel = false) => [
    candidate(code, { text, start: words[0]!.start, end: words.at(-1)!.end, needsLabel }),
  ];
  if (parts.every(isDigits)) return digitGroups(group, whole, from);
  if (group.length === 1) return isMixedCode(whole) ? from(whole, group, true) : [];
  if (/[^A-Za-z0-9-]/.test(whole) || !/[0-9]/.test(whole)) return [];
  const [prefix = '', digits = ''] = parts;
  // `G-482913`: the input form already shows the `G-`, so the code is the digits.
  if (
    parts.length === 2 &&
    /^(?:[A-Z]{1,2}|code|otp|pin|tan)$/i.test(prefix) &&
    isCodeLength(digits) &&
    isDigits(digits)
  )
    return from(digits, group);
  const isCode =
    parts.length <= 3 && parts.every((part) => /^[A-Z0-9]{3,5}$/.test(part)) && whole.length <= 11;
  return isCode ? from(whole, group, true) : [];
}

type Make = (code: string, words: Word[]) => Candidate[];

function digitGroups(group: Word[], whole: string, from: Make): Candidate[] {
  const parts = group.map(({ text }) => text);
  const digits = parts.join('');
  // Excludes amounts, dates, times, versions and IP addresses.
  if (/[.,:/'+]/.test(whole)) return [];
  const lengths = parts.map(({ length }) => length);
  const isEven = lengths.every((length) => length === lengths[0]);
  if (parts.length === 1) return isCodeLength(digits) ? from(digits, group) : [];
  // Joins 123-456, 1234 5678, 12 34 56, and digits that are written one by one.
  if (isEven && isCodeLength(digits) && digits.length >= (lengths[0] === 1 ? shortest : 6))
    return from(digits, group);
  // If only spaces separate the numbers, each may be a separate code. Groups of three digits are an amount.
  if (!/^[0-9 ]+$/.test(whole) || lengths.includes(3) || digits.length > 10) return [];
  return group.flatMap((word) =>
    isCodeLength(word.text) && word.text.length >= 5 ? from(word.text, [word]) : [],
  );
}

const isCodeLength = ({ length }: string): boolean => length >= shortest && length <= longest;
const unit = /^[0-9]+(?:MIN|MINS|HRS|HR|SEC|GB|MB|KB|USD|EUR|GBP|PM|AM|TH|ST|ND|RD|HOURS|DAYS|PX)$/i;

/** Whether a text of letters and digits looks like a code: capitals, with a digit, and not a measurement. */
function isMixedCode(text: string): boolean {
  return isCodeLength(text) && /^[A-Z0-9]+$/.test(text) && /[0-9]/.test(text) && !unit.test(text);
}

function candidate(
  code: string,
  { text, start, end, needsLabel }: { text: string; start: number; end: number; needsLabel: boolean },
): Candidate {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const nextLine = text.indexOf('\n', end);
  // Reads at most 20 characters of the line on each side.
  const beside =
    text.slice(Math.max(lineStart, start - 20), start) +
    text.slice(end, Math.min(nextLine < 0 ? text.length : nextLine, end + 20));
  return {
    code,
    start,
    end,
    needsLabel,
    looksLikeYear: end - start === 4 && /^(?:19|20)[0-9]{2}$/.test(code),
    isAlone: !/[\p{L}\p{N}]/u.test(beside),
  };
}
