import { loadTonCore } from './load';

const rawForm = /^(-1|0):[0-9a-f]{64}$/;

/** Whether it is the one spelling that everything here speaks: `0:` and 64 lower-case hex digits. */
export const isRawAddress = (text: string): boolean => rawForm.test(text);

/**
 * The raw spelling of an address that was written raw or friendly (`EQ…`, `UQ…`). Forms for test networks are rejected
 * where they are not wanted, as is what is no address: undefined.
 */
export async function rawAddressOf(
  text: string,
  { allowTestForm = false } = {},
): Promise<string | undefined> {
  const lower = text.toLowerCase();
  if (rawForm.test(lower)) return lower;
  // Longer texts are none, and are not worth the reading.
  if (text.length !== 48) return undefined;
  const { Address } = await loadTonCore();
  try {
    const { address, isTestOnly } = Address.parseFriendly(text);
    return isTestOnly && !allowTestForm ? undefined : address.toRawString();
  } catch {
    return undefined;
  }
}
