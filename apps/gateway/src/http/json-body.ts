import { isUtf8 } from 'node:buffer';
import { DomainError } from '@tollbridge/bus';

// Bodies of this API are three levels deep at most; free-form settings and metadata get some room.
const maxDepth = 32;

/**
 * Reads a JSON object from a body. Stricter than `JSON.parse`: a key that stands twice is refused, since two readers
 * could each take another one of them, and so is nesting that only serves to cost time.
 */
export function readJsonObject(body: Buffer): Record<string, unknown> {
  if (!isUtf8(body)) throw new DomainError('MALFORMED_JSON', 'The body is not valid UTF-8.');
  const text = body.toString();
  checkNesting(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new DomainError('MALFORMED_JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw DomainError.invalid([{ field: 'body', message: 'must be a JSON object' }]);
  }
  return value as Record<string, unknown>;
}

/** One pass over the text, before it is parsed: depth, and keys of each object. What is no JSON fails later anyway. */
function checkNesting(text: string): void {
  // One entry per open bracket: the keys of an object so far, or null for an array.
  const open: (Set<string> | null)[] = [];
  let isKeyNext = false;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22: {
        const end = endOfString(text, at);
        if (isKeyNext) addKey(open.at(-1), text.slice(at, end + 1));
        isKeyNext = false;
        at = end;
        break;
      }
      case 0x7b: // {
        open.push(new Set());
        isKeyNext = true;
        break;
      case 0x5b: // [
        open.push(null);
        isKeyNext = false;
        break;
      case 0x7d: // }
      case 0x5d: // ]
        open.pop();
        isKeyNext = false;
        break;
      case 0x2c: // ,
        isKeyNext = open.at(-1) instanceof Set;
        break;
    }
    if (open.length > maxDepth)
      throw new DomainError('MALFORMED_JSON', `The body is nested deeper than ${maxDepth} levels.`);
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

function addKey(keys: Set<string> | null | undefined, literal: string): void {
  if (!keys) return;
  // An escape may spell the same key in another way.
  const key = literal.includes('\\') ? unescaped(literal) : literal;
  if (keys.has(key))
    throw new DomainError('MALFORMED_JSON', `The key ${literal.slice(0, 66)} stands twice in one object.`);
  keys.add(key);
}

function unescaped(literal: string): string {
  try {
    return JSON.stringify(JSON.parse(literal));
  } catch {
    return literal;
  }
}
