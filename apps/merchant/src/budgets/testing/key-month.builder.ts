import type { KeyMonth } from '../budget';

/** The month of a key with a budget of 100 USD and no spends. */
export const aKeyMonth = (changes: Partial<KeyMonth> = {}): KeyMonth => ({
  keyId: 'key',
  month: '2026-11',
  owner: 'wallet',
  label: 'Shop',
  environment: 'sandbox',
  isEnabled: true,
  isDeleted: false,
  monthlyBudgetUsd: '100',
  maxPerTxUsd: null,
  usedMicros: 0n,
  isWarned: false,
  isReached: false,
  ...changes,
});
