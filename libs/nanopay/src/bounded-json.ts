const openings = [0x7b, 0x5b];
const closings = [0x7d, 0x5d];
const quote = 0x22;
const backslash = 0x5c;

/**
 * The value of JSON that is at most so deep; undefined for anything else. The depth is counted before anything is built:
 * a few kilobytes of brackets would cost a hundred times what it costs to see that they are too many.
 */
export function readBoundedJson(bytes: Buffer, maxDepth: number): unknown {
  if (!isShallow(bytes, maxDepth)) return undefined;
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

function isShallow(bytes: Buffer, maxDepth: number): boolean {
  let depth = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === quote) {
      at = endOfText(bytes, at + 1);
      if (at < 0) return false;
    } else if (openings.includes(byte)) {
      if (++depth > maxDepth) return false;
    } else if (closings.includes(byte)) depth--;
  }
  return true;
}

/** The next quotation mark that no odd number of backslashes precedes. */
function endOfText(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(quote, from); at >= 0; at = bytes.indexOf(quote, at + 1)) {
    let before = at - 1;
    while (before >= from && bytes[before] === backslash) before--;
    if ((at - before) % 2 === 1) return at;
  }
  return -1;
}
