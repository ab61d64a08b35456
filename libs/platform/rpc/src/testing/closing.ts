interface Closable {
  close(): Promise<void> | void;
}

/**
 * Closes the opened objects after a test, the last first, even if the test fails. Open handles would keep
 * jest running. Usage: `const { closeLater, closeAll } = closing()` and `afterEach(closeAll)`.
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
