import { extractCode } from '../../codes/extract-code';

/** What operators call a code is sometimes the whole message. */
const isCode = /^[A-Za-z0-9-]{3,12}$/;

/** The code that was received; the whole text where none can be told from it. Undefined where nothing was. */
export function receivedCode(code: unknown, text?: unknown): string | undefined {
  const [given, message] = [firstText(code), firstText(text)];
  if (given !== undefined && isCode.test(given)) return given;
  const said = message ?? given;
  if (said === undefined) return undefined;
  return extractCode(said) ?? given ?? said;
}

// What a message can have, and the declaration of the code.
const maxLength = 1_600;

/** Lists hold the newest first or last, by operator: with one code to a number that makes no difference. */
function firstText(value: unknown): string | undefined {
  const one: unknown = Array.isArray(value) ? value.at(-1) : value;
  const text = typeof one === 'number' ? String(one) : one;
  if (typeof text !== 'string') return undefined;
  const plain = text.replace(/[\p{Control}\p{Surrogate}]/gu, ' ').trim();
  return plain === '' || plain.toLowerCase() === 'null' ? undefined : plain.slice(0, maxLength);
}
