import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Account, AccountKey } from '../rules/account';
import type { Ledger } from '../ledger';

interface Gathering {
  keys: AccountKey[];
  read: Promise<void>;
}

/**
 * Loads accounts into a ledger. One query per turn of the event loop, so that unknown payers do not cost a query each.
 */
export class AccountLoader {
  /** Accounts that are being loaded. */
  private readonly loading = new Map<AccountKey, Promise<void>>();
  /** Accounts to load at the end of this turn of the event loop. */
  private gathering: Gathering | undefined;

  constructor(
    private readonly ledger: Ledger,
    private readonly stored: (keys: readonly AccountKey[]) => Promise<Account[]>,
  ) {}

  async load(keys: readonly AccountKey[], nowMs: number): Promise<void> {
    const fresh = keys.filter((key) => !this.loading.has(key));
    if (fresh.length > 0) {
      const { keys: gathered, read } = (this.gathering ??= this.gather(nowMs));
      for (const key of fresh) {
        gathered.push(key);
        this.loading.set(key, read);
      }
    }
    await Promise.all(keys.flatMap((key) => this.loading.get(key) ?? []));
  }

  private gather(nowMs: number): Gathering {
    const keys: AccountKey[] = [];
    const read = nextTurn()
      .then(() => {
        this.gathering = undefined;
        return this.stored(keys);
      })
      .then((stored) => {
        const found = new Map(stored.map((account) => [account.key, account]));
        for (const key of keys) this.ledger.bring(key, found.get(key), nowMs);
      })
      .finally(() => keys.forEach((key) => this.loading.delete(key)));
    return { keys, read };
  }
}
