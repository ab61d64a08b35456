import { loadTonCore } from './load';

const rawForm = /^(-1|0):[0-9a-f]{64}$/;

/** Whether the address has the canonical raw form: `0:` and 64 lower-case hexadecimal digits. */
export const isRawAddress = (text: string): boolean => rawForm.test(text);

/**
 * Converts a raw or friendly address (`EQ…`, `UQ…`) to the canonical raw form. Returns undefined for an invalid
 * address. Also returns undefined for a test network address unless it is allowed.
 */
export async function rawAddressOf(
  text: string,
  { allowTestForm = false } = {},
): Promise<string | undefined> {
  const lower = text.toLowerCase();
  if (rawForm.test(lower)) return lower;
  // All friendly addresses have this length.
  if (text.length !== 48) return undefined;
  const { Address } = await loadTonCore();
  try {
    const { address, isTestOnly } = Address.parseFriendly(text);
    return isTestOnly && !allowTestForm ? undefined : address.toRawString();
  } catch {
    return undefined;
  }
}
