import { UnreadableReply, isAbsent, readText } from '@tollbridge/http';

/** A lookup by text. A plain object would also find `constructor` and other inherited names. */
export function tableOf<T = string>(entries: Readonly<Record<string, T>>): ReadonlyMap<string, T> {
  return new Map(Object.entries(entries));
}

/** Not empty. A control character could not be stored, and is in no address. */
export function readPlainText(value: unknown, path: string): string {
  const text = readText(value, path, 512);
  if (text === '' || /[\p{Cc}\p{Cs}]/u.test(text))
    throw new UnreadableReply(`${path} is empty or has control characters`);
  return text;
}

export function readOptionalText(value: unknown, path: string): string | null {
  return isAbsent(value) || value === '' ? null : readPlainText(value, path);
}

// No delivery takes longer. A larger number is a mistake, and could not be stored.
const longestSeconds = 30 * 24 * 60 * 60;

/** A duration, rounded up. */
export function readSeconds(value: unknown, path: string): number {
  if (typeof value !== 'number' || !(value >= 0 && value <= longestSeconds))
    throw new UnreadableReply(`${path} is not a duration`);
  return Math.ceil(value);
}
