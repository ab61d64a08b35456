/** The decoders of libraries throw at what is not theirs; here that is an answer like any other. */
export function attempt<Decoded>(decode: () => Decoded): Decoded | undefined {
  try {
    return decode();
  } catch {
    return undefined;
  }
}
