const keyOf = (wallet: string) => `tollbridge:nano:${wallet}`;

/** Accepts `0:…` and the 48 characters that wallets show. */
export const isTonAccount = (text: string): boolean => /^-?\d+:[0-9a-fA-F]{64}$|^[UEk0][\w-]{47}$/.test(text);

/** The account that this browser has shown last. */
export const lastAccount = {
  read(wallet: string): string | undefined {
    try {
      const account = localStorage.getItem(keyOf(wallet));
      return account !== null && isTonAccount(account) ? account : undefined;
    } catch {
      return undefined;
    }
  },
  store(wallet: string, account: string): void {
    try {
      localStorage.setItem(keyOf(wallet), account);
    } catch {
      // Without storage, the page asks again.
    }
  },
};
