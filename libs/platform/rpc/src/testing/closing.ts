interface Closable {
  close(): Promise<void> | void;
}

/**
 * Closes after a test what it has opened, the last first, even if it fails: open handles would keep jest running.
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
