/** Reads an object of foreign JSON; anything else is empty. */
export function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

/** An id or another short text, written as text or as a number. */
export function textOf(value: unknown): string | undefined {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  return typeof text === 'string' && /^[\w.:+-]{1,64}$/.test(text) ? text : undefined;
}

/** A phone number in E.164, with or without the plus. */
export function phoneOf(value: unknown): string | undefined {
  const digits = /^\+?([0-9]{5,17})$/.exec(textOf(value) ?? '')?.[1];
  return digits === undefined ? undefined : `+${digits}`;
}
