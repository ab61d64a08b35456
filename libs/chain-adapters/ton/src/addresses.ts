import { loadTonCore } from './load';

const rawForm = /^(-1|0):[0-9a-f]{64}$/;

/** Whether the address has the canonical raw form: `0:` and 64 lower-case hex digits. */
export const isRawAddress = (text: string): boolean => rawForm.test(text);

/**
 * Converts a raw or friendly address (`EQ…`, `UQ…`) to the canonical raw form. Undefined for an invalid address, and
 * for a test network address unless it is allowed.
 */
export async function rawAddressOf(
  text: string,
  { allowTestForm = false } = {},
): Promise<string | undefined> {
  const lower = text.toLowerCase();
  if (rawForm.test(lower)) return lower;
  // No address is longer: skip the parser.
  if (text.length !== 48) return undefined;
  const { Address } = await loadTonCore();
  try {
    const { address, isTestOnly } = Address.parseFriendly(text);
    return isTestOnly && !allowTestForm ? undefined : address.toRawString();
  } catch {
    return undefined;
  }
}
