/** Returns undefined if a decoder throws, because libraries throw for foreign texts. */
export function attempt<Decoded>(decode: () => Decoded): Decoded | undefined {
  try {
    return decode();
  } catch {
    return undefined;
  }
}
