import fc from 'fast-check';
import { createHash } from 'node:crypto';
import { chainOf, positionKey, type ChainHead, type NewTransaction } from './ledger-chain';
import { differenceOf, receivedPosition, type Position, type Posting, type Target } from './ledger-position';

const wallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const otherWallet = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
const usdc = { chain: 'eip155:8453', token: 'USDC' };
const zeros = Buffer.alloc(32);
const occurredAtMs = Date.UTC(2026, 10, 20, 12);

const received = (amount: bigint): Position => receivedPosition(usdc, amount);
const target = (changes: Partial<Target> = {}): Target => ({
  wallet,
  reference: 'order:a',
  version: 3,
  occurredAtMs,
  position: received(5n),
  ...changes,
});
const newHeads = (): Map<string, ChainHead> =>
  new Map([wallet, otherWallet].map((it) => [it, { lastSeq: 0, lastHash: zeros }]));
const chain = (
  targets: readonly Target[],
  { heads = newHeads(), posted = new Map<string, Position>() } = {},
): NewTransaction[] => chainOf(targets, heads, posted);

const sha256 = (lines: readonly (string | number | bigint)[]): Buffer =>
  createHash('sha256').update(lines.join('\n')).digest();

/** The hash as `hashOf` in the repository defines it. */
const expectedHash = (of: NewTransaction): Buffer =>
  sha256([
    of.previousHash.toString('hex'),
    of.wallet,
    of.seq,
    of.id,
    of.kind,
    of.reference,
    of.version,
    of.occurredAtMs,
    ...of.entries.flatMap((entry) => [entry.account, entry.chain, entry.token, entry.amount]),
  ]);

/** Whether the hash chain of a wallet is intact: each hash matches its transaction and the previous hash. */
const isProven = (transactions: readonly NewTransaction[]): boolean =>
  transactions.every(
    (transaction, at) =>
      transaction.seq === at + 1 &&
      transaction.previousHash.equals(at === 0 ? zeros : transactions[at - 1]!.hash) &&
      transaction.hash.equals(expectedHash(transaction)),
  );

describe('chainOf', () => {
  it('posts the first payment of a ledger', () => {
    const transactions = chain([target()]);
    expect(transactions).toEqual([
      {
        wallet,
        reference: 'order:a',
        version: 3,
        occurredAtMs,
        position: received(5n),
        seq: 1,
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
        kind: 'payment',
        entries: [
          { account: 'payer', ...usdc, amount: -5n },
          { account: 'merchant:received', ...usdc, amount: 5n },
        ],
        previousHash: zeros,
        hash: expect.any(Buffer),
      },
    ]);
  });

  it('hashes the previous hash and each field as one line', () => {
    const [transaction] = chain([target()]);
    const lines = [
      '0000000000000000000000000000000000000000000000000000000000000000',
      '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      '1',
      transaction!.id,
      'payment',
      'order:a',
      '3',
      String(occurredAtMs),
      ...['payer', 'eip155:8453', 'USDC', '-5'],
      ...['merchant:received', 'eip155:8453', 'USDC', '5'],
    ];
    expect(transaction!.hash).toEqual(sha256(lines));
  });

  it('continues at the head of the ledger and updates it', () => {
    const lastHash = Buffer.alloc(32, 0xa1);
    const heads = new Map([[wallet, { lastSeq: 41, lastHash }]]);
    const [first, second] = chain([target(), target({ reference: 'order:b' })], { heads });
    expect(first).toMatchObject({ seq: 42, previousHash: lastHash });
    expect(second).toMatchObject({ seq: 43, previousHash: first!.hash });
    expect(second!.hash).toEqual(expectedHash(second!));
    expect(heads.get(wallet)).toEqual({ lastSeq: 43, lastHash: second!.hash });
  });

  it('numbers and chains the transactions of each wallet separately, in the given order', () => {
    const heads = newHeads();
    const transactions = chain(
      [
        target({ reference: 'order:a' }),
        target({ reference: 'order:b', wallet: otherWallet }),
        target({ reference: 'order:c' }),
        target({ reference: 'paylink:d', wallet: otherWallet }),
      ],
      { heads },
    );
    expect(transactions.map((it) => [it.wallet, it.seq, it.reference])).toEqual([
      [wallet, 1, 'order:a'],
      [otherWallet, 1, 'order:b'],
      [wallet, 2, 'order:c'],
      [otherWallet, 2, 'paylink:d'],
    ]);
    for (const owner of [wallet, otherWallet]) {
      const own = transactions.filter((it) => it.wallet === owner);
      expect(isProven(own)).toBe(true);
      expect(heads.get(owner)).toEqual({ lastSeq: 2, lastHash: own[1]!.hash });
    }
  });

  it('posts only the difference to the posted position, as a correction', () => {
    const posted = new Map([[positionKey(target()), received(5n)]]);
    const [transaction] = chain([target({ version: 4, position: received(8n) })], { posted });
    expect(transaction).toMatchObject({ seq: 1, kind: 'correction', version: 4 });
    expect(transaction!.entries).toEqual([
      { account: 'payer', ...usdc, amount: -3n },
      { account: 'merchant:received', ...usdc, amount: 3n },
    ]);
    expect(transaction!.hash).toEqual(expectedHash(transaction!));
    expect(posted.get(positionKey(target()))).toEqual(received(8n));
  });

  it('reverses a posted position when the target is empty', () => {
    const posted = new Map([[positionKey(target()), received(5n)]]);
    const [transaction] = chain([target({ position: [] })], { posted });
    expect(transaction!.kind).toBe('reversal');
    expect(transaction!.entries).toEqual([
      { account: 'payer', ...usdc, amount: 5n },
      { account: 'merchant:received', ...usdc, amount: -5n },
    ]);
    expect(posted.get(positionKey(target()))).toEqual([]);
  });

  it('posts nothing for a position that is already posted, and does not change the head', () => {
    const heads = newHeads();
    const posted = new Map([[positionKey(target()), received(5n)]]);
    expect(chain([target({ version: 4 })], { heads, posted })).toEqual([]);
    expect(heads.get(wallet)).toEqual({ lastSeq: 0, lastHash: zeros });
  });

  it('posts nothing for an empty position that was never posted', () => {
    const heads = newHeads();
    expect(chain([target({ position: [] })], { heads })).toEqual([]);
    expect(heads.get(wallet)).toEqual({ lastSeq: 0, lastHash: zeros });
  });

  it('posts each version of an order as the difference to the previous version', () => {
    const steps = chain([
      target({ version: 1, position: received(5n) }),
      target({ version: 2, position: received(5n) }),
      target({ version: 3, position: received(7n) }),
      target({ version: 4, position: [] }),
      target({ version: 5, position: received(7n) }),
    ]);
    expect(steps.map(({ version, kind, entries }) => [version, kind, entries[0]!.amount])).toEqual([
      [1, 'payment', -5n],
      [3, 'correction', -2n],
      [4, 'reversal', 7n],
      [5, 'payment', -7n],
    ]);
  });

  it.each([
    ['another wallet', { wallet: otherWallet }],
    ['another reference', { reference: 'order:b' }],
  ])('ignores a position that was posted for %s', (_name, changes) => {
    const posted = new Map([[positionKey(target(changes)), received(5n)]]);
    expect(chain([target()], { posted })).toMatchObject([{ kind: 'payment', entries: received(5n) }]);
  });

  it('posts entries that sum to the last position of each reference, and builds a valid hash chain', () => {
    const targets = fc.array(fc.record({ reference: fc.nat(2), amount: fc.bigInt(0n, 3n) }), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(targets, (steps) => {
        const transactions = chain(
          steps.map(({ reference, amount }, version) =>
            target({ reference: `order:${reference}`, version, position: received(amount) }),
          ),
        );
        expect(isProven(transactions)).toBe(true);
        for (const order of [0, 1, 2]) {
          const own = transactions.filter(({ reference }) => reference === `order:${order}`);
          const entries = own.flatMap((transaction) => transaction.entries);
          const last = steps.filter(({ reference }) => reference === order).at(-1)?.amount ?? 0n;
          expect(differenceOf(entries, received(last))).toEqual([]);
        }
      }),
    );
  });
});

describe('the hash of a transaction', () => {
  const sample = (): NewTransaction => {
    const heads = new Map([[wallet, { lastSeq: 16, lastHash: Buffer.alloc(32, 0xa1) }]]);
    return chain([target()], { heads })[0]!;
  };
  const changedMerchant = (changes: Partial<Posting>) => (of: NewTransaction) => ({
    entries: [of.entries[0]!, { ...of.entries[1]!, ...changes }],
  });
  const otherDigit = (digit: string): string => (digit === '0' ? '1' : '0');

  it('matches the unchanged transaction', () => {
    const transaction = sample();
    expect(expectedHash(transaction)).toEqual(transaction.hash);
  });

  it.each<[string, (of: NewTransaction) => Partial<NewTransaction>]>([
    ['amount', changedMerchant({ amount: 6n })],
    ['sign', changedMerchant({ amount: -5n })],
    ['account', changedMerchant({ account: 'fees' })],
    ['chain', changedMerchant({ chain: 'eip155:1' })],
    ['token', changedMerchant({ token: 'USDT' })],
    ['list of entries after a removal', ({ entries }) => ({ entries: entries.slice(0, 1) })],
    ['list of entries after an addition', ({ entries }) => ({ entries: [...entries, entries[1]!] })],
    ['order of entries', ({ entries }) => ({ entries: [...entries].reverse() })],
    ['wallet', () => ({ wallet: otherWallet })],
    ['sequence number', ({ seq }) => ({ seq: seq + 1 })],
    ['id', ({ id }) => ({ id: id.replace(/.$/, otherDigit) })],
    ['kind', () => ({ kind: 'correction' })],
    ['reference', () => ({ reference: 'order:b' })],
    ['version', ({ version }) => ({ version: version + 1 })],
    ['time', () => ({ occurredAtMs: occurredAtMs + 1 })],
    ['previous hash', () => ({ previousHash: zeros })],
  ])('does not match a changed %s', (_name, changesOf) => {
    const transaction = sample();
    expect(expectedHash({ ...transaction, ...changesOf(transaction) })).not.toEqual(transaction.hash);
  });
});

describe('the chain of a ledger', () => {
  type Three = [NewTransaction, NewTransaction, NewTransaction];
  const three = (): Three =>
    chain(['order:a', 'order:b', 'order:c'].map((reference) => target({ reference }))) as Three;
  const withAmount = (of: NewTransaction): NewTransaction => ({ ...of, entries: received(6n) });
  const rehashed = (of: NewTransaction): NewTransaction => ({ ...of, hash: expectedHash(of) });

  it('passes verification when unchanged', () => {
    expect(isProven(three())).toBe(true);
  });

  it.each<[string, (...transactions: Three) => NewTransaction[]]>([
    ['an amount is changed', (first, second, third) => [first, withAmount(second), third]],
    ['a changed amount is rehashed', (first, second, third) => [first, rehashed(withAmount(second)), third]],
    ['a transaction is removed', (first, _second, third) => [first, third]],
    ['the first transaction is removed', (_first, second, third) => [second, third]],
    ['two transactions are swapped', (first, second, third) => [first, third, second]],
    ['a gap is renumbered', (first, _second, third) => [first, { ...third, seq: 2 }]],
    ['a transaction is repeated', (first, second, third) => [first, second, second, third]],
  ])('fails verification when %s', (_name, tamper) => {
    expect(isProven(tamper(...three()))).toBe(false);
  });
});

it('positionKey differs by wallet and reference', () => {
  expect(positionKey({ wallet, reference: 'order:a' })).toBe(`${wallet}\norder:a`);
});
