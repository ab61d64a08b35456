const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;

export interface JsonBounds {
  maxDepth: number;
  /** Maximum number of commas outside of strings. Each comma separates two entries of an array or object. */
  maxCommas: number;
}

/**
 * Parses JSON within bounds, and returns undefined for anything else. Bounds are checked first, because parsing a few
 * kilobytes of brackets costs a hundred times more than counting them.
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
 * Returns the index of the quote that ends a string, or the end of the bytes. Most bytes are in strings, and a separate
 * loop for them halves the cost.
 */
function endOfText(bytes: Buffer, start: number): number {
  const { length } = bytes;
  for (let at = start; at < length; at++) {
    const byte = bytes[at];
    if (byte === quote) return at;
    // A character after a backslash does not end the string.
    if (byte === backslash) at++;
  }
  return length;
}
