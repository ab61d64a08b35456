import { randomBytes } from 'node:crypto';
import { AnyCaller, teeMoneyApi } from '@tollbridge/contracts';
import { BusClient } from '@tollbridge/rpc';
import {
  confirmationIdOf,
  dialogDigest,
  digestOf,
  flags,
  hashChainGrantDigest,
  hashed,
  linkNonce,
  maxGrantLifeS,
  maxHashesPerPayment,
  signingKey,
  type ChargeItem,
  type FrameItem,
  type PaymentTerms,
  type PresentedChain,
} from '@tollbridge/nanopay-protocol';
import { eventually, ManualClock } from '@tollbridge/testing';
import { Buyer, seller, statusOf, TeeHarness } from '../testing/tee-harness';

let clock: ManualClock;
let harness: TeeHarness;
let wallet: Buyer;

beforeAll(async () => {
  clock = new ManualClock(Date.now());
  harness = await TeeHarness.start(clock);
  await harness.startApp();
});
afterAll(() => harness?.close());
beforeEach(async () => {
  wallet = new Buyer();
  await harness.fund(wallet, 1_000_000n);
});

/** A hash chain of the wallet, with links worth 1000 each, for a day. */
class Chain {
  readonly secret = randomBytes(32);
  readonly grant;
  readonly digest: Buffer;
  private readonly signature: Buffer;

  constructor(
    changes: Partial<PresentedChain> = {},
    signer = wallet.key,
    private readonly dialog?: ChargeItem['dialog'],
  ) {
    const length = changes.length ?? 200;
    this.grant = {
      unitAtomic: 1000n,
      length,
      anchor: hashed(this.secret, length),
      nonce: randomBytes(32),
      validAfterS: harness.nowS - 5n,
      validBeforeS: harness.nowS + 86_400n,
      ...changes,
    };
    this.digest = hashChainGrantDigest(wallet.scope, seller, this.grant);
    this.signature = signer.sign(dialog ? dialogDigest(wallet.address, dialog, this.digest) : this.digest);
  }

  link = (index: number): Buffer => hashed(this.secret, this.grant.length - index);

  /** Returns the payment that reveals the link with this index, worth one link. */
  pay(
    index: number,
    changes: Partial<PaymentTerms> = {},
    call: Partial<ChargeItem> = {},
    link: Partial<PresentedChain> = {},
  ): ChargeItem {
    const terms = { flags: flags.hashChain, nonce: linkNonce(this.digest, index), ...changes };
    const item = wallet.pay(harness.nowMs, { resourceHash: Buffer.alloc(32), ...terms });
    const { signature, dialog } = this;
    const chain = { ...this.grant, index, link: this.link(index), ...link };
    return { ...(item as ChargeItem), signature, dialog, chain, ...call };
  }
}

const send = async (item: FrameItem): Promise<string> => statusOf(await harness.sendOne(item));
const voidOf = ({ callKey, payment }: ChargeItem): FrameItem => ({
  kind: 'void',
  callKey,
  confirmationId: Buffer.from(confirmationIdOf(digestOf(payment)), 'hex'),
});
const spentOf = async ({ grant }: Chain): Promise<string | undefined> => {
  const rows = await harness.database.query<{ spent: string }>(
    'SELECT spent FROM tee.sessions WHERE nonce = $1',
    [grant.nonce],
  );
  return rows[0]?.spent;
};
const unchained = 'invalid_ton_nanopay_hash_chain';
const copied = 'duplicate_settlement';
const asNewCall = (item: ChargeItem): ChargeItem => ({ ...item, callKey: randomBytes(16) });

describe('hash chain payments', () => {
  it('charges each link once, in order', async () => {
    const chain = new Chain();
    const items = [1, 2, 3].map((index) => chain.pay(index));
    for (const item of items) expect(await send(item)).toBe('captured');
    for (const item of items) expect(await send(asNewCall(item))).toBe(copied);
    // The same link with other times is a copy.
    expect(await send(chain.pay(2, { validBeforeS: harness.nowS + 90n }))).toBe(copied);
    expect(await send(chain.pay(3, { validAfterS: harness.nowS - 4n }))).toBe(copied);
    expect(await harness.balanceOf(wallet.address)).toMatchObject({ available: '997000', spent: '3000' });
    expect(await spentOf(chain)).toBe('3000');
  });

  it('charges several links together by the last of them', async () => {
    const chain = new Chain();
    expect(await send(chain.pay(1))).toBe('captured');
    expect(await send(chain.pay(5, { amountAtomic: 4000n }, { amountAtomic: 4000n }))).toBe('captured');
    expect(await send(chain.pay(3))).toBe(copied);
    const most = BigInt(maxHashesPerPayment) * 1000n;
    const item = chain.pay(5 + maxHashesPerPayment, { amountAtomic: most }, { amountAtomic: most });
    expect(await send(item)).toBe('captured');
  });

  it('repeats the outcome for the same call', async () => {
    const chain = new Chain();
    const [first, second] = [chain.pay(1), chain.pay(2)];
    const outcome = await harness.sendOne(first);
    expect(await send(second)).toBe('captured');
    expect(await harness.sendOne(first)).toEqual(outcome);
    await harness.startApp();
    expect(await harness.sendOne(first)).toEqual(outcome);
    expect(await send(asNewCall(second))).toBe(copied);
  });

  it('accepts a chain that was signed in a wallet dialog', async () => {
    const dialog = { domain: 'localhost', timestampS: Number(harness.nowS) };
    const chain = new Chain({}, wallet.key, dialog);
    clock.advance(3_600_000);
    expect(await send(chain.pay(1))).toBe('captured');
  });

  it('previews a link without any effect', async () => {
    const chain = new Chain();
    expect(await send(chain.pay(1, {}, { kind: 'check' }))).toBe('checked');
    expect(await send(chain.pay(2, {}, { kind: 'check' }))).toBe('invalid_ton_nanopay_amount_mismatch');
    expect(await send(chain.pay(1, {}, { kind: 'check' }, { link: randomBytes(32) }))).toBe(unchained);
    expect(await spentOf(chain)).toBeUndefined();
    expect(await send(chain.pay(1))).toBe('captured');
    expect(await send(chain.pay(1, {}, { kind: 'check' }))).toBe(copied);
  });

  it('holds by a link, and rejects a charge of the hold without that link', async () => {
    const chain = new Chain();
    const held = chain.pay(1, {}, { kind: 'hold' });
    expect(await send(held)).toBe('held');
    const charge = asNewCall({ ...held, kind: 'charge' });
    expect(await send({ ...charge, chain: { ...charge.chain!, link: randomBytes(32) } })).toBe(unchained);
    expect(await send(charge)).toBe('captured');
    expect(await spentOf(chain)).toBe('1000');
  });

  it('charges a hold after later links were used', async () => {
    const chain = new Chain();
    const amountAtomic = BigInt(maxHashesPerPayment) * 1000n;
    const holds = [1, 2, 3].map((nth) =>
      chain.pay(nth * maxHashesPerPayment, { amountAtomic }, { kind: 'hold', amountAtomic }),
    );
    for (const hold of holds) expect(await send(hold)).toBe('held');
    const [charge] = holds.map((hold) => asNewCall({ ...hold, kind: 'charge' }));
    const guessed = { ...charge!, chain: { ...charge!.chain!, link: randomBytes(32) } };
    expect(await send(guessed)).toBe(unchained);
    expect(await send(charge!)).toBe('captured');
  });

  it('repeats the outcome of a hold after later links were used', async () => {
    const chain = new Chain();
    const amountAtomic = BigInt(maxHashesPerPayment) * 1000n;
    const items = [1, 2, 3].map((nth) =>
      chain.pay(nth * maxHashesPerPayment, { amountAtomic }, { amountAtomic }),
    );
    const [outcome] = [await harness.sendOne(items[0]!)];
    for (const item of items.slice(1)) expect(await send(item)).toBe('captured');
    expect(await harness.sendOne(items[0]!)).toEqual(outcome);
    expect(await send(asNewCall(items[0]!))).toBe(copied);
  });

  it('refunds the amount, but not the link', async () => {
    const chain = new Chain();
    const [item, held] = [chain.pay(1), chain.pay(2, {}, { kind: 'hold', holdS: 5 })];
    expect(await send(item)).toBe('captured');
    expect(await send(voidOf(item))).toBe('voided');
    expect(await send(asNewCall(item))).toBe(copied);
    expect(await send(held)).toBe('held');
    clock.advance(6_000);
    await eventually(async () =>
      expect(await harness.balanceOf(wallet.address)).toMatchObject({
        available: '1000000',
        reserved: '0',
      }),
    );
    expect(await spentOf(chain)).toBe('2000');
    expect(await send(chain.pay(3))).toBe('captured');
  });

  it('rejects links of a cancelled chain', async () => {
    const chain = new Chain();
    expect(await send(chain.pay(1))).toBe('captured');
    await harness.database.query(
      'INSERT INTO tee.cancellations (account, nonce, created_at) VALUES ($1, $2, now())',
      [Buffer.from(wallet.address.slice(2), 'hex'), chain.grant.nonce],
    );
    await harness.startApp();
    expect(await send(chain.pay(2))).toBe('payment_cancelled');
  });
});

describe('an invalid hash chain payment', () => {
  const stranger = signingKey(randomBytes(32));

  it.each<[string, (chain: Chain) => FrameItem, string]>([
    ['a random link', (chain) => chain.pay(1, {}, {}, { link: randomBytes(32) }), unchained],
    ['the anchor as a link', (chain) => chain.pay(1, {}, {}, { link: chain.grant.anchor }), unchained],
    [
      'a link under the index of another',
      (chain) => chain.pay(1, {}, {}, { link: chain.link(2) }),
      unchained,
    ],
    ['a link for less than its value', (chain) => chain.pay(2), 'invalid_ton_nanopay_amount_mismatch'],
    [
      'a link for more than its value',
      (chain) => chain.pay(1, { amountAtomic: 2000n }, { amountAtomic: 2000n }),
      'invalid_ton_nanopay_amount_mismatch',
    ],
    [
      'more hashes than the maximum per payment',
      (chain) => chain.pay(60, { amountAtomic: 50_000n }, { amountAtomic: 50_000n }),
      unchained,
    ],
    ['a random nonce', (chain) => chain.pay(1, { nonce: randomBytes(32) }), unchained],
    ['the nonce of another link', (chain) => chain.pay(1, { nonce: linkNonce(chain.digest, 2) }), unchained],
    ['a missing hash-chain flag', (chain) => chain.pay(1, { flags: 0 }), unchained],
    ['the hash-chain flag without a chain', (chain) => chain.pay(1, {}, { chain: undefined }), unchained],
    ['the resource-bound flag', (chain) => chain.pay(1, { flags: 9 }), unchained],
    ['the flag of a maximum', (chain) => chain.pay(1, { flags: 10 }), unchained],
    ['another seller', (chain) => chain.pay(1, { to: `0:${'99'.repeat(32)}` }), unchained],
    ['a unit that was not signed', (chain) => chain.pay(1, {}, {}, { unitAtomic: 500n }), unchained],
    ['a length that was not signed', (chain) => chain.pay(1, {}, {}, { length: 300 }), unchained],
    [
      'a later expiry than was signed',
      (chain) => chain.pay(1, {}, {}, { validBeforeS: harness.nowS + 99_999n }),
      unchained,
    ],
    ['a grant signed by another wallet', () => new Chain({}, stranger).pay(1), unchained],
    ['a grant that is not valid yet', () => new Chain({ validAfterS: harness.nowS + 60n }).pay(1), unchained],
    [
      'an expired grant',
      () => new Chain({ validBeforeS: harness.nowS - 5n, validAfterS: 1n }).pay(1),
      unchained,
    ],
    [
      'a grant that is valid for too long',
      () => new Chain({ validBeforeS: harness.nowS + BigInt(maxGrantLifeS) }).pay(1),
      unchained,
    ],
    [
      'a dialog of another domain',
      () => new Chain({}, wallet.key, { domain: 'evil.example', timestampS: Number(harness.nowS) }).pay(1),
      unchained,
    ],
    [
      'a link beyond the length of the chain',
      () => new Chain({ length: 1 }).pay(2, {}, {}, { link: randomBytes(32) }),
      unchained,
    ],
  ])('rejects %s', async (_, item, reason) => {
    expect(await send(item(new Chain()))).toBe(reason);
    expect(await harness.balanceOf(wallet.address)).toMatchObject({ available: '1000000', reserved: '0' });
  });

  it('rejects a payment that also has a session grant', async () => {
    const chain = new Chain();
    expect(await send(chain.pay(1))).toBe('captured');
    const session = {
      publicKey: stranger.publicKey,
      to: undefined,
      maxPerPaymentAtomic: 9000n,
      maxTotalAtomic: 9000n,
      validAfterS: harness.nowS - 5n,
      validBeforeS: harness.nowS + 60n,
      nonce: randomBytes(32),
      signature: randomBytes(64),
      dialog: undefined,
    };
    const item = chain.pay(2, { flags: flags.hashChain | flags.session }, { session });
    const forged = { ...item, signature: stranger.sign(digestOf(item.payment)) };
    expect(await send(forged)).toBe(unchained);
  });

  it('rejects a payment when the wallet has replaced the signing key', async () => {
    const chain = new Chain();
    expect(await send(chain.pay(1))).toBe('captured');
    const deposit = { sender: wallet.address, amount: '1', chainAccount: `0:${'3a'.repeat(32)}` };
    const credit = (lt: string, wallets: object) =>
      new BusClient(harness.bus, new AnyCaller()).call(teeMoneyApi.operations.creditDeposit, {
        ...deposit,
        lt,
        hash: randomBytes(32).toString('hex'),
        ...wallets,
      });
    await credit('1', { isSwitchedOff: true });
    expect(await send(chain.pay(2))).toBe('invalid_ton_nanopay_unknown_key');
    await credit('2', { publicKey: stranger.publicKey.toString('hex') });
    expect(await send(chain.pay(2))).toBe(unchained);
    expect(await send(new Chain({}, stranger).pay(1))).toBe('captured');
  });

  it('charges once when copies of a link arrive concurrently', async () => {
    const chain = new Chain();
    const outcomes = await harness.send(Array.from({ length: 300 }, () => asNewCall(chain.pay(1))));
    const answers = outcomes.map(statusOf).sort();
    expect(answers).toEqual(['captured', ...Array.from({ length: 299 }, () => copied)]);
    expect(await spentOf(chain)).toBe('1000');
  });
});
