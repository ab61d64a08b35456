import { randomBytes } from 'node:crypto';
import type { ChargeItem } from '../frames';

/** A charge of 1000 units by a new call. Its payment is random, but has the right length. */
export const aChargeItem = (changes: Partial<ChargeItem> = {}): ChargeItem => ({
  kind: 'charge',
  callKey: randomBytes(16),
  amountAtomic: 1000n,
  holdS: 0,
  payment: randomBytes(262),
  signature: Buffer.alloc(64),
  publicKey: undefined,
  stateInit: undefined,
  dialog: undefined,
  session: undefined,
  chain: undefined,
  ...changes,
});
