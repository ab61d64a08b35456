const most = 20;
const keyOf = (wallet: string) => `tollbridge:requests:${wallet}`;

/** Ids of the payment requests that this browser has created, newest first: the API does not list requests. */
export const createdHere = {
  list(wallet: string): string[] {
    try {
      const ids: unknown = JSON.parse(localStorage.getItem(keyOf(wallet)) ?? '[]');
      return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
    } catch {
      return [];
    }
  },
  add(wallet: string, id: string): void {
    const ids = [id, ...createdHere.list(wallet).filter((it) => it !== id)].slice(0, most);
    try {
      localStorage.setItem(keyOf(wallet), JSON.stringify(ids));
    } catch {
      // A browser without storage: the request is shown once.
    }
  },
};
