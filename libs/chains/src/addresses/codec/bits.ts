/**
 * Cuts a bit string into groups of another size, for the base-32 alphabets. Undefined if the last group carries
 * leftover bits that a correct encoder never writes: they would give one address several spellings.
 */
export function regroupBits(
  groups: Iterable<number>,
  fromBits: number,
  toBits: number,
): Uint8Array | undefined {
  const regrouped: number[] = [];
  let pending = 0;
  let pendingBits = 0;
  for (const group of groups) {
    pending = (pending << fromBits) | group;
    pendingBits += fromBits;
    while (pendingBits >= toBits) {
      pendingBits -= toBits;
      regrouped.push((pending >> pendingBits) & ((1 << toBits) - 1));
      pending &= (1 << pendingBits) - 1;
    }
  }
  return pendingBits < fromBits && pending === 0 ? Uint8Array.from(regrouped) : undefined;
}
