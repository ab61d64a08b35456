const hidden = '[card number]';

// Card numbers have 13 to 19 digits and begin with 2 to 6. Times in milliseconds begin with 1.
const [fewest, most] = [13, 19];
const mayHold = /[2-6](?:[ -]?\d){12}/;
const digitRuns = /(?<!\d)\d(?:[ -]?\d){12,}/g;
// Usual digit groups of card numbers: 4-4-4-4, 4-6-5, 4-4-4-4-3.
const groupForm = /^\d{3,7}$/;
// Longer than any logged hash.
const longestWord = 140;
const shortestHash = 24;

/**
 * Redacts numbers of payment cards in a text: 13 to 19 digits, together or in groups, with a valid Luhn check digit.
 * Longer runs of digits and parts of hashes are kept. The time is linear. A text without candidates needs one search.
 */
export function withoutCardNumbers(text: string): string {
  if (text.length < fewest || !mayHold.test(text)) return text;
  return text.replace(digitRuns, (run, offset: number) => withoutCardsIn(run, text, offset));
}

/** Whether an integer is a card number. */
export const isCardNumber = (value: number): boolean =>
  value >= 10 ** (fewest - 1) && Number.isSafeInteger(value) && isCard(String(value));

function withoutCardsIn(run: string, text: string, offset: number): string {
  const parts = run.split(/([ -])/);
  const [before, after] = [text[offset - 1] ?? '', text[offset + run.length] ?? ''];
  // Digits are at even indices, separators at odd indices.
  for (let first = 0; first < parts.length; first += 2) {
    const last = lastOfCard(parts, first, (at) => {
      const isEnd = (at === 0 && isLetter(before)) || (at === parts.length - 1 && isLetter(after));
      return !isEnd;
    });
    if (last === undefined || (last === first && isInHash(text, offset, run.length))) continue;
    parts.fill('', first, last + 1);
    parts[first] = hidden;
    first = last;
  }
  return parts.join('');
}

/** Returns the index of the last group of the longest card number that begins here; undefined without a card number. */
function lastOfCard(
  parts: readonly string[],
  first: number,
  standsAlone: (at: number) => boolean,
): number | undefined {
  let [digits, found] = [parts[first]!, undefined as number | undefined];
  if (isCard(digits)) found = first;
  if (!groupForm.test(digits) || !standsAlone(first)) return found;
  for (let at = first + 2; at < parts.length && digits.length < most; at += 2) {
    if (!groupForm.test(parts[at]!)) break;
    digits += parts[at]!;
    if (standsAlone(at) && isCard(digits)) found = at;
  }
  return found;
}

function isCard(digits: string): boolean {
  if (digits.length < fewest || digits.length > most || !/^[2-6]/.test(digits)) return false;
  let sum = 0;
  for (let at = 0; at < digits.length; at++) {
    const digit = digits.charCodeAt(digits.length - 1 - at) - 0x30;
    const doubled = at % 2 === 0 ? digit : digit * 2;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

const isLetter = (char: string): boolean => /^[A-Za-z]$/.test(char);

/** Whether these digits are part of a hash, an address of a chain, or another long hexadecimal text. */
function isInHash(text: string, offset: number, length: number): boolean {
  const before = /[0-9A-Za-z]*$/.exec(text.slice(Math.max(0, offset - longestWord), offset))![0];
  const after = /^[0-9A-Za-z]*/.exec(text.slice(offset + length, offset + length + longestWord))![0];
  const word = before + text.slice(offset, offset + length) + after;
  return (
    /^0x[0-9a-f]+$/i.test(word) || (word.length >= shortestHash && /^(?=\d*[a-f])[0-9a-f]+$/i.test(word))
  );
}
