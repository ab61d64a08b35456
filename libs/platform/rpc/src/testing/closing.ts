interface Closable {
  close(): Promise<void> | void;
}

/**
 * What a test opens, closed after it, the last first, also when it fails: what stays open keeps jest from ending.
 * Used as `const { closeLater, closeAll } = closing()` and `afterEach(closeAll)`.
 */
export function closing(): { closeLater<T extends Closable>(opened: T): T; closeAll(): Promise<void> } {
  const opened: Closable[] = [];
  return {
    closeLater(one) {
      opened.push(one);
      return one;
    },
    async closeAll() {
      for (let one = opened.pop(); one; one = opened.pop()) await one.close();
    },
  };
}
