/** Returns the nearest known word; undefined when none is near. */
export function nearest(given: string, known: readonly string[]): string | undefined {
  const wanted = given.toLowerCase();
  const ranked = known
    .map((word) => ({ word, edits: editDistance(wanted, word.toLowerCase()) }))
    .sort((one, other) => one.edits - other.edits);
  const best = ranked[0];
  return best && best.edits <= Math.max(1, Math.floor(wanted.length / 3)) ? best.word : undefined;
}

/** Returns "Did you mean …?", or the given text about the known words. */
export function didYouMean(given: string, known: readonly string[], otherwise: string): string {
  const found = nearest(given, known);
  return found === undefined ? otherwise : `Did you mean ${found}?`;
}

/** Number of insertions, deletions, replacements and swaps of neighbours between two texts. */
function editDistance(one: string, other: string): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1];
      let least = Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, rows[i - 1]![j - 1]! + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        least = Math.min(least, rows[i - 2]![j - 2]! + 1);
      row.push(least);
    }
    rows.push(row);
  }
  return rows[one.length]![other.length]!;
}
