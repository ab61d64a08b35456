// A node's client takes eight requests at once; of those that wait, it rejects all above a few dozen.
const defaultAtOnce = 8;

/**
 * The results of `work` for all items, in their order, with at most so many under way at a time. For long lists with
 * requests to a node for each item: `Promise.all` would send them all at once.
 * @throws the first error of `work`; no further item is begun then
 */
export async function mapBounded<T, R>(
  items: readonly T[],
  work: (item: T, at: number) => Promise<R>,
  atOnce = defaultAtOnce,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const takeItems = async (): Promise<void> => {
    while (next < items.length) {
      const at = next++;
      results[at] = await work(items[at]!, at).catch((error: unknown) => {
        next = items.length;
        throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, takeItems));
  return results;
}
