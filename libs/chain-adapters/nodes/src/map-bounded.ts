// A node's client sends eight concurrent requests. It rejects further ones when a few dozen wait.
const defaultAtOnce = 8;

/**
 * Returns the results of `work` for all items in their order, and limits the concurrency. Use it for long lists with
 * node requests for each item, because `Promise.all` would send all of them at the same time.
 * @throws the first error of `work`; no further item is started then
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
