import { isCardNumber, withoutCardNumbers } from './card-numbers';

// Compared without case, `-` and `_`: `X-Api-Key` matches `apiKey`.
const secretNames = new Set([
  'authorization',
  'cookie',
  'setcookie',
  'token',
  'accesstoken',
  'refreshtoken',
  'sessiontoken',
  'emailtoken',
  'purchasetoken',
  'pan',
  'cardnumber',
  'cvv',
  'cvv2',
  'cvc',
  'pin',
  'pincode',
  'otp',
  'seed',
  'pepper',
]);
const secretEndings = /(password|passphrase|secret|privatekey|apikey|mnemonic|emailtoken)$/;
const redacted = '[redacted]';
// Names of amount fields. Amounts may look like card numbers.
const amountEndings = /(atomic|amount|wei|micros|balance)$/;

// Log fields are a few levels deep. A deeper object was logged by mistake.
const maxDepth = 6;
const maxItems = 100;
const maxCauses = 4;

/** Returns a text without passwords in URLs and without card numbers. */
export const textWithoutSecrets = (text: string): string => withoutCardNumbers(withoutPasswords(text));

/** Returns a copy of log fields without secrets, with errors as plain objects. */
export function withoutSecrets(fields: Record<string, unknown>): Record<string, unknown> {
  return copyOf(fields, 0) as Record<string, unknown>;
}

function copyOf(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return textWithoutSecrets(value);
  if (typeof value === 'number') return isCardNumber(value) ? redacted : value;
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (isError(value)) return describeError(value, maxCauses);
  if (value instanceof Uint8Array) return `[${value.length} bytes]`;
  if (value instanceof URL) return textWithoutSecrets(value.href);
  if (depth === maxDepth) return '[deeper]';
  if (Array.isArray(value)) return value.slice(0, maxItems).map((item) => copyOf(item, depth + 1));
  const copy: Record<string, unknown> = {};
  for (const [name, item] of Object.entries(value))
    copy[name] = isSecret(name) ? redacted : isAmount(name, item) ? item : copyOf(item, depth + 1);
  return copy;
}

function isSecret(name: string): boolean {
  const plain = name.toLowerCase().replace(/[-_]/g, '');
  return secretNames.has(plain) || secretNames.has(plain.replace(/^x/, '')) || secretEndings.test(plain);
}

/** Whether a field contains an amount. Other values under such a name are redacted as usual. */
function isAmount(name: string, value: unknown): boolean {
  const isNumber = typeof value === 'number' || (typeof value === 'string' && /^\d{1,78}$/.test(value));
  return isNumber && amountEndings.test(name.toLowerCase());
}

/** Removes passwords from URLs, such as `nats://user:password@host`. */
function withoutPasswords(text: string): string {
  return text.includes('://') ? text.replace(/(:\/\/[^\s:/@]*:)[^\s/]+@/g, `$1${redacted}@`) : text;
}

// Errors from another realm are not instances of this Error class.
function isError(value: object): value is Error {
  return value instanceof Error || Object.prototype.toString.call(value) === '[object Error]';
}

/** Logged fields of errors of this project, Node and PostgreSQL. They contain no secret. */
const loggedFields = [
  'code',
  'errno',
  'syscall',
  'severity',
  'schema',
  'table',
  'column',
  'constraint',
  'routine',
];

/**
 * Other fields of an error are omitted. Libraries attach statements with their parameters, rows, requests and
 * provider replies to their errors.
 */
function describeError(error: Error, causes: number): Record<string, unknown> {
  const own = error as Error & { cause?: unknown; errors?: unknown };
  const described: Record<string, unknown> = {
    type: error.constructor?.name ?? error.name,
    message: textWithoutSecrets(error.message),
  };
  for (const name of loggedFields) {
    const value = (error as unknown as Record<string, unknown>)[name];
    if (typeof value === 'string' || typeof value === 'number') described[name] = copyOf(value, maxDepth);
  }
  described['stack'] = textWithoutSecrets(error.stack ?? '');
  if (causes > 0 && typeof own.cause === 'object' && own.cause !== null && isError(own.cause))
    described['cause'] = describeError(own.cause, causes - 1);
  if (causes > 0 && Array.isArray(own.errors))
    described['errors'] = own.errors
      .slice(0, maxCauses)
      .map((one) =>
        typeof one === 'object' && one !== null && isError(one) ? describeError(one, causes - 1) : redacted,
      );
  return described;
}
