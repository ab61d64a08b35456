/** Version 1.1 has no types of its own. Positions count code units. */
declare module 'bidi-js' {
  interface EmbeddingLevels {
    levels: Uint8Array;
  }
  interface Bidi {
    getEmbeddingLevels(text: string, direction?: 'ltr' | 'rtl' | 'auto'): EmbeddingLevels;
    /** Positions in visual order, including those outside of the line. `end` is inclusive. */
    getReorderedIndices(text: string, levels: EmbeddingLevels, start?: number, end?: number): number[];
    getMirroredCharacter(character: string): string | null;
  }
  const factory: () => Bidi;
  export default factory;
}
