import { UnreadableReply, isAbsent, readText } from '@tollbridge/http';

/** Creates a lookup table by string. A plain object would also find `constructor` and other inherited names. */
export function tableOf<T = string>(entries: Readonly<Record<string, T>>): ReadonlyMap<string, T> {
  return new Map(Object.entries(entries));
}

/** Parses a non-empty string without control characters. They could not be stored, and no address contains them. */
export function readPlainText(value: unknown, path: string): string {
  const text = readText(value, path, 512);
  if (text === '' || /[\p{Cc}\p{Cs}]/u.test(text))
    throw new UnreadableReply(`${path} is empty or has control characters`);
  return text;
}

export function readOptionalText(value: unknown, path: string): string | null {
  return isAbsent(value) || value === '' ? null : readPlainText(value, path);
}

// Every delivery is shorter. A larger number is an error, and could not be stored.
const longestSeconds = 30 * 24 * 60 * 60;

/** Parses a duration and rounds it up. */
export function readSeconds(value: unknown, path: string): number {
  if (typeof value !== 'number' || !(value >= 0 && value <= longestSeconds))
    throw new UnreadableReply(`${path} is not a duration`);
  return Math.ceil(value);
}
