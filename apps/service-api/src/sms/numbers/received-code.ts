import { extractCode } from '../../codes/extract-code';

/** Matches a bare code: the provider's code field sometimes contains the whole message. */
const isCode = /^[A-Za-z0-9-]{3,12}$/;

/** Returns the received code, or the whole text when it contains no code. Undefined when nothing was received. */
export function receivedCode(code: unknown, text?: unknown): string | undefined {
  const [given, message] = [firstText(code), firstText(text)];
  if (given !== undefined && isCode.test(given)) return given;
  const whole = message ?? given;
  if (whole === undefined) return undefined;
  return extractCode(whole) ?? given ?? whole;
}

// The maximum length of a message, and of the field in the contract.
const maxLength = 1_600;

/** Providers order lists differently; a number receives one code, so any order works. */
function firstText(value: unknown): string | undefined {
  const one: unknown = Array.isArray(value) ? value.at(-1) : value;
  const text = typeof one === 'number' ? String(one) : one;
  if (typeof text !== 'string') return undefined;
  const plain = text.replace(/[\p{Control}\p{Surrogate}]/gu, ' ').trim();
  return plain === '' || plain.toLowerCase() === 'null' ? undefined : plain.slice(0, maxLength);
}
