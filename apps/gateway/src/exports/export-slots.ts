import { DomainError } from '@tollbridge/rpc';

// Each export occupies the memory of one page and uses the database. One merchant must not use all slots.
const maxConcurrent = 16;
const maxConcurrentOfMerchant = 2;

/** Limits the exports in progress. */
export class ExportSlots {
  private readonly taken: string[] = [];

  /**
   * @param merchant the merchant, who shares the slots with all of their keys and their wallet
   * @returns a function that releases the slot
   * @throws DomainError SERVICE_UNAVAILABLE when all slots are in use
   */
  take(merchant: string): () => void {
    const own = this.taken.filter((other) => other === merchant);
    if (this.taken.length >= maxConcurrent || own.length >= maxConcurrentOfMerchant)
      throw new DomainError(
        'SERVICE_UNAVAILABLE',
        'Too many exports are running. Retry after retryAfter seconds.',
      );
    this.taken.push(merchant);
    return () => void this.taken.splice(this.taken.indexOf(merchant), 1);
  }
}
