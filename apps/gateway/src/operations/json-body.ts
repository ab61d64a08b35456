import { isUtf8 } from 'node:buffer';
import { DomainError } from '@tollbridge/rpc';

// Bodies of this API have at most three levels. The rest is for free-form settings and metadata.
const maxDepth = 32;
// A double represents any fifteen digits exactly. Longer literals, and literals with an exponent, are checked.
const safeLiteralLength = 15;
// JavaScript never prints a double longer than this.
const maxLiteralLength = 40;

/**
 * Parses a JSON object more strictly than `JSON.parse`, as RFC 7493 (I-JSON) requires. Rejects texts that two parsers
 * could interpret differently: duplicate keys, numbers that a double cannot represent, and unpaired surrogates. Also
 * rejects deep nesting.
 */
export function readJsonObject(
  given: Buffer,
  { takesEmptyList = true }: { takesEmptyList?: boolean } = {},
): Record<string, unknown> {
  const body = withoutByteOrderMark(given);
  if (!isUtf8(body)) throw malformed('The body is not valid UTF-8. Encode it as UTF-8.');
  const text = body.toString();
  checkText(text);
  const value = parse(text);
  // PHP writes an empty map as an empty list.
  if (takesEmptyList && Array.isArray(value) && value.length === 0) return {};
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw DomainError.invalid([{ field: 'body', message: 'must be a JSON object' }]);
  }
  return value as Record<string, unknown>;
}

const byteOrderMark = Buffer.from('\uFEFF');

/** RFC 8259, section 8.1, allows parsers to ignore the mark, and clients on .NET and PowerShell write it. */
export function withoutByteOrderMark(body: Buffer): Buffer {
  const hasMark = body.subarray(0, byteOrderMark.length).equals(byteOrderMark);
  return hasMark ? body.subarray(byteOrderMark.length) : body;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw malformed();
  }
}

function malformed(message?: string): DomainError {
  return new DomainError('MALFORMED_JSON', message);
}

/** Checks the text in one pass before it is parsed. The parser reports syntax errors. */
function checkText(text: string): void {
  // One entry per open bracket: the keys of the object so far, or null for an array.
  const open: (Set<string> | null)[] = [];
  let isKeyNext = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22 /* " */) {
      const end = endOfString(text, at);
      const string = stringOf(text.slice(at, end + 1));
      if (isKeyNext) addKey(open.at(-1), string);
      isKeyNext = false;
      at = end;
    } else if (code === 0x7b /* { */ || code === 0x5b /* [ */) {
      isKeyNext = code === 0x7b;
      open.push(isKeyNext ? new Set() : null);
      if (open.length > maxDepth)
        throw malformed(`The body is nested deeper than ${maxDepth} levels. Send a flatter object.`);
    } else if (code === 0x7d /* } */ || code === 0x5d /* ] */) {
      open.pop();
      isKeyNext = false;
    } else if (code === 0x2c /* , */) isKeyNext = open.at(-1) instanceof Set;
    else if (code === 0x2d /* - */ || isDigit(code)) {
      const end = endOfNumber(text, at);
      if (end - at > safeLiteralLength || hasExponent(text, at, end)) checkNumber(text.slice(at, end));
      at = end - 1;
    }
  }
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x5c) at++;
    else if (code === 0x22) return at;
  }
  return text.length;
}

/** The value of a string literal. An escape may produce a duplicate key, or a character that cannot be stored. */
function stringOf(literal: string): string {
  if (!literal.includes('\\')) return literal.slice(1, -1);
  const string = String(parse(literal));
  if (/\p{Surrogate}|\0/u.test(string))
    throw malformed(
      'A string contains a NUL character or an unpaired surrogate, which cannot be stored. Remove it.',
    );
  return string;
}

function addKey(keys: Set<string> | null | undefined, key: string): void {
  if (!keys) return;
  if (keys.has(key))
    throw malformed(
      `The key ${JSON.stringify(key.slice(0, 64))} appears twice in one object. Remove one of the two.`,
    );
  keys.add(key);
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function endOfNumber(text: string, start: number): number {
  let end = start + 1;
  while (end < text.length && (isDigit(text.charCodeAt(end)) || '.+-eE'.includes(text[end]!))) end++;
  return end;
}

function hasExponent(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if ((text.charCodeAt(at) | 0x20) === 0x65) return true;
  return false;
}

/** Rejects numbers that parsing would change: 9007199254740993 would become …992, and 1e309 infinity. */
function checkNumber(literal: string): void {
  const value = Number(literal);
  // The parser rejects texts that are not numbers.
  if (Number.isNaN(value)) return;
  if (literal.length > maxLiteralLength || normal(literal) !== normal(String(value)))
    throw malformed(
      `The number ${literal.slice(0, maxLiteralLength)} cannot be stored exactly. Send it as a string.`,
    );
}

/** Significant digits and exponent, without sign: 1.50, 0.15e1 and 15e-1 all become `15e-1`. */
function normal(literal: string): string {
  const unsigned = literal.startsWith('-') ? literal.slice(1) : literal;
  const [mantissa = '', exponent = '0'] = unsigned.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  return `${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}
