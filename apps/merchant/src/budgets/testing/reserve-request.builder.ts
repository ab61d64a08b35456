import type { ReserveRequest } from '@tollbridge/contracts';
import { randomUUID } from 'node:crypto';

/** The first attempt to reserve 1 USD for a new order. */
export const aReserveRequest = (changes: Partial<ReserveRequest> = {}): ReserveRequest => ({
  keyId: randomUUID(),
  reference: randomUUID(),
  attempt: randomUUID(),
  kind: 'order',
  description: 'An order',
  valueUsd: '1',
  ...changes,
});
