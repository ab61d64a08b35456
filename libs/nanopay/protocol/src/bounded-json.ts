const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;

export interface JsonBounds {
  maxDepth: number;
  /** Commas outside of strings: entries beyond the first of a list or an object. */
  maxCommas: number;
}

/**
 * Parses JSON within bounds; undefined for anything else. Bounds are checked before parsing: a few kilobytes of
 * brackets cost a hundred times more to parse than to count.
 */
export function readBoundedJson(bytes: Buffer, bounds: JsonBounds): unknown {
  if (!isSmall(bytes, bounds)) return undefined;
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

function isSmall(bytes: Buffer, { maxDepth, maxCommas }: JsonBounds): boolean {
  let depth = 0;
  let commas = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === quote) {
      at = endOfText(bytes, at + 1);
      if (at === bytes.length) return false;
    } else if (byte === comma) {
      if (++commas > maxCommas) return false;
    } else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > maxDepth) return false;
    } else if (byte === 0x7d || byte === 0x5d) depth--;
  }
  return true;
}

/**
 * The place of the quote that ends a string, or the end. Most bytes are in strings: a loop of its own costs half as
 * much.
 */
function endOfText(bytes: Buffer, start: number): number {
  const { length } = bytes;
  for (let at = start; at < length; at++) {
    const byte = bytes[at];
    if (byte === quote) return at;
    // A character after a backslash ends no string.
    if (byte === backslash) at++;
  }
  return length;
}
