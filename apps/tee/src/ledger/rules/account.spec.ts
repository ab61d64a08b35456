import {
  addressOf,
  bytesOfKey,
  hasNoKey,
  keyOf,
  newAccount,
  noKey,
  setKeyIfUnset,
  unsettledOf,
  type AccountKey,
} from './account';

const key: AccountKey = 'a'.repeat(32);
const nowMs = 1_800_000_000_000;

describe('newAccount', () => {
  it('starts with zero sums and without key, policy and cancellations', () => {
    expect(newAccount(key, nowMs)).toStrictEqual({
      key,
      publicKey: undefined,
      deposited: 0n,
      available: 0n,
      reserved: 0n,
      spent: 0n,
      withdrawn: 0n,
      earned: 0n,
      settled: 0n,
      settling: 0n,
      policy: undefined,
      cancelled: undefined,
      updatedMs: nowMs,
      usedMs: nowMs,
    });
  });
});

describe('hasNoKey', () => {
  it.each([
    ['returns false before the first payment', undefined, false],
    ['returns false for a key', Buffer.alloc(32, 7), false],
    ['returns true for 32 zeros', Buffer.alloc(32), true],
  ])('%s', (_name, publicKey, expected) => {
    expect(hasNoKey({ ...newAccount(key, nowMs), publicKey })).toBe(expected);
  });

  it('marks wallets without signatures by 32 zeros', () => {
    expect(noKey).toEqual(Buffer.alloc(32));
  });
});

describe('setKeyIfUnset', () => {
  it('copies the verified key into an account that has none', () => {
    const account = newAccount(key, nowMs);
    const verified = Buffer.alloc(32, 7);
    setKeyIfUnset(account, verified);
    verified.fill(9);
    expect(account.publicKey).toEqual(Buffer.alloc(32, 7));
  });

  it('does not replace a stored key', () => {
    const account = newAccount(key, nowMs);
    setKeyIfUnset(account, Buffer.alloc(32, 7));
    setKeyIfUnset(account, Buffer.alloc(32, 9));
    expect(account.publicKey).toEqual(Buffer.alloc(32, 7));
  });
});

describe('unsettledOf', () => {
  it('returns the earnings that are neither paid out nor part of a payout', () => {
    expect(unsettledOf({ ...newAccount(key, nowMs), earned: 100n, settled: 30n, settling: 21n })).toBe(49n);
  });
});

describe('keys of accounts', () => {
  const bytes = Buffer.from(Array.from({ length: 32 }, (_, index) => (index * 37 + 128) % 256));
  const address = `0:${bytes.toString('hex')}`;

  it('keyOf returns the hash of the address as latin1', () => {
    expect(keyOf(address)).toBe(bytes.toString('latin1'));
    expect(keyOf(address)).toHaveLength(32);
  });

  it('addressOf and bytesOfKey convert a key back to its address and hash', () => {
    expect(addressOf(keyOf(address))).toBe(address);
    expect(bytesOfKey(keyOf(address))).toEqual(bytes);
  });
});
