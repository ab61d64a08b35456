/** Reads an object of a provider's JSON. Any other value becomes an empty object. */
export function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

/** Reads an id or another short text, which may be a JSON number. */
export function textOf(value: unknown): string | undefined {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  return typeof text === 'string' && /^[\w.:+-]{1,64}$/.test(text) ? text : undefined;
}

/** Reads a phone number in E.164 form, with or without the plus. */
export function phoneOf(value: unknown): string | undefined {
  const digits = /^\+?([0-9]{5,17})$/.exec(textOf(value) ?? '')?.[1];
  return digits === undefined ? undefined : `+${digits}`;
}
