import { DomainError } from '@tollbridge/rpc';

// Each export holds a page in memory and uses the database; one merchant must not use all slots.
const maxConcurrent = 16;
const maxConcurrentOfMerchant = 2;

/** Bounds the exports in progress. */
export class ExportSlots {
  private readonly taken: string[] = [];

  /**
   * @param merchant all its keys and its wallet share its slots
   * @returns releases the slot
   * @throws DomainError SERVICE_UNAVAILABLE when there is no slot
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
