import { createHash, randomBytes } from 'node:crypto';
import {
  confirmationIdOf,
  isReceipt,
  keylessCallPrefix,
  nextHead,
  receiptDigest,
  receiptOf,
  w5Account,
  type FrameItem,
  type Outcome,
  type SettledOutcome,
} from '@tollbridge/nanopay-protocol';
import { Buyer, seller, statusOf, TeeHarness } from '../testing/tee-harness';
import type { RunningService } from '@tollbridge/bootstrap';
import { ReceiptKey } from '../signing/receipt-key';
import { LedgerRepository } from '../ledger/storage/ledger.repository';

let harness: TeeHarness;
let app: RunningService;
let buyer: Buyer;
let enclaveKey: Buffer;

beforeAll(async () => {
  harness = await TeeHarness.start();
  app = await harness.startApp();
  enclaveKey = app.context.get(ReceiptKey).publicKey;
});
afterAll(() => harness?.close());
beforeEach(async () => {
  buyer = new Buyer();
  await harness.fund(buyer, 10_000n);
});

const pay = (changes = {}, call: Partial<FrameItem> = {}) => buyer.pay(harness.nowMs, changes, call);
const settled = (outcome: Outcome): SettledOutcome => {
  expect(['captured', 'held', 'voided']).toContain(statusOf(outcome));
  return outcome as SettledOutcome;
};

describe('a charge', () => {
  it('transfers the amount and returns a receipt signed by the ledger service', async () => {
    const item = pay();
    const outcome = settled(await harness.sendOne(item));
    expect(outcome).toMatchObject({ status: 'captured', amountAtomic: 1000n });
    expect(await harness.balanceOf(buyer.address)).toMatchObject({
      available: '9000',
      spent: '1000',
      reserved: '0',
    });
    const receipt = receiptOf(outcome);
    const digest = createHash('sha256')
      .update((item as { payment: Buffer }).payment)
      .digest();
    expect(receipt.confirmationId).toBe(confirmationIdOf(digest));
    expect(isReceipt(receipt, enclaveKey, digest)).toBe(true);
    expect(isReceipt({ ...receipt, amount: '999' }, enclaveKey)).toBe(false);
  });

  it('gets a separate place in the receipt chain when many are concurrent', async () => {
    const outcomes = await harness.send(Array.from({ length: 10 }, () => pay()));
    const inOrder = outcomes.map(settled).sort((a, b) => Number(a.seq - b.seq));
    for (const [index, next] of inOrder.slice(1).entries()) {
      const before = inOrder[index]!;
      const { digest, amountAtomic, seq, unixMs, previousHead } = before;
      const signed = receiptDigest({ type: 'charge', digest, amountAtomic, seq, unixMs, previousHead });
      expect(next.previousHead).toEqual(nextHead(previousHead, signed));
    }
    expect(await harness.balanceOf(buyer.address)).toMatchObject({ available: '0', spent: '10000' });
  });

  it('succeeds only while the balance lasts', async () => {
    const outcomes = await harness.send(Array.from({ length: 25 }, () => pay()));
    expect(outcomes.filter(({ status }) => status === 'captured')).toHaveLength(10);
    expect(outcomes.filter((outcome) => statusOf(outcome) === 'insufficient_funds')).toHaveLength(15);
  });
});

describe('a repeated payment', () => {
  it('charges once for a thousand concurrent copies', async () => {
    const item = pay();
    const copies = Array.from({ length: 1_000 }, () => ({ ...item, callKey: randomBytes(16) }) as FrameItem);
    const frames = [copies.slice(0, 400), copies.slice(400, 800), copies.slice(800)];
    const outcomes = (await Promise.all(frames.map((frame) => harness.send(frame)))).flat();
    expect(outcomes.filter(({ status }) => status === 'captured')).toHaveLength(1);
    expect(outcomes.filter((outcome) => statusOf(outcome) === 'duplicate_settlement')).toHaveLength(999);
    expect(await harness.balanceOf(buyer.address)).toMatchObject({ available: '9000', spent: '1000' });
  });

  it('returns the first outcome for the call key of the first, immediately and later', async () => {
    const item = pay();
    const [first, second] = (await harness.send([item, item])).map(settled);
    expect(second).toEqual(first);
    expect(await harness.sendOne(item)).toEqual(first);
    expect(await harness.balanceOf(buyer.address)).toMatchObject({ spent: '1000' });
  });

  it('rejects other terms with the nonce of an earlier payment', async () => {
    const nonce = randomBytes(32);
    settled(await harness.sendOne(pay({ nonce })));
    expect(statusOf(await harness.sendOne(pay({ nonce, amountAtomic: 5n })))).toBe('duplicate_settlement');
  });
});

describe('a payment that a call without a key has charged', () => {
  const keylessCall = () => Buffer.concat([keylessCallPrefix, randomBytes(8)]);
  const withKey = (item: FrameItem, callKey = randomBytes(16)) => ({ ...item, callKey }) as FrameItem;
  const withoutKey = (item: FrameItem) => withKey(item, keylessCall());
  const refundOf = ({ callKey }: FrameItem, digest: Buffer): FrameItem => ({
    kind: 'void',
    callKey,
    confirmationId: Buffer.from(confirmationIdOf(digest), 'hex'),
  });

  it.each([
    ['first', (keyless: FrameItem[], keyed: FrameItem[]) => [...keyless, ...keyed]],
    ['last', (keyless: FrameItem[], keyed: FrameItem[]) => [...keyed, ...keyless]],
    [
      'between',
      (keyless: FrameItem[], keyed: FrameItem[]) => keyed.flatMap((each, at) => [keyless[at]!, each]),
    ],
  ])(
    'reports the charge to one of 100 concurrent calls with a key, with calls without a key %s',
    async (_, order) => {
      const item = pay();
      const keyless = Array.from({ length: 100 }, () => withoutKey(item));
      const keyed = Array.from({ length: 100 }, () => withKey(item));
      const items = order(keyless, keyed);
      const outcomes = (await Promise.all(items.map((each) => harness.send([each])))).flat();
      const winners = items.filter((_item, at) => outcomes[at]!.status === 'captured');
      expect(winners.filter((each) => keyed.includes(each))).toHaveLength(1);
      expect(winners.filter((each) => keyless.includes(each)).length).toBeLessThanOrEqual(1);
      const others = outcomes.map(statusOf).filter((status) => status !== 'captured');
      expect(new Set(others)).toEqual(new Set(['duplicate_settlement']));
      expect(await harness.balanceOf(buyer.address)).toMatchObject({ available: '9000', spent: '1000' });
    },
  );

  it('returns one outcome for the key that claimed it, immediately and later, and rejects other keys', async () => {
    const item = withoutKey(pay());
    const first = settled(await harness.sendOne(item));
    const claim = withKey(item);
    const outcomes = await harness.send([claim, claim, withKey(item), withoutKey(item)]);
    expect(outcomes.slice(0, 2)).toEqual([first, first]);
    expect(outcomes.slice(2).map(statusOf)).toEqual(['duplicate_settlement', 'duplicate_settlement']);
    expect(await harness.sendOne(claim)).toEqual(first);
    expect(statusOf(await harness.sendOne(withKey(item)))).toBe('duplicate_settlement');
    expect(statusOf(await harness.sendOne(item))).toBe('duplicate_settlement');
  });

  it('rejects a claim with a forged signature, other terms, another amount or a hold', async () => {
    const item = pay({ flags: 3 }, { callKey: keylessCall(), amountAtomic: 400n });
    settled(await harness.sendOne(item));
    const { key } = new Buyer();
    const forged = { signature: key.sign(randomBytes(32)) };
    const others = [forged, { amountAtomic: 1000n }, { kind: 'hold' as const }, { kind: 'check' as const }];
    const outcomes = await harness.send(others.map((other) => withKey({ ...item, ...other } as FrameItem)));
    expect(outcomes.map(statusOf)).toEqual([
      'invalid_ton_nanopay_signature',
      ...Array.from({ length: 3 }, () => 'duplicate_settlement'),
    ]);
    expect((await harness.sendOne(withKey(item))).status).toBe('captured');
  });

  it('refunds the charge once, only for the call that claimed it', async () => {
    const item = withoutKey(pay());
    const { digest } = settled(await harness.sendOne(item));
    const [claim, late] = [withKey(item), withKey(item)];
    settled(await harness.sendOne(claim));
    const refunds = [late, item, claim, claim].map((each) => refundOf(each, digest));
    expect((await harness.send(refunds)).map(statusOf)).toEqual([
      'invalid_transaction_state',
      'invalid_transaction_state',
      'voided',
      'voided',
    ]);
    expect(statusOf(await harness.sendOne(late))).toBe('duplicate_settlement');
    expect(await harness.balanceOf(buyer.address)).toMatchObject({ available: '10000', spent: '0' });
  });

  it('accepts either a claim or the refund by its first call when both are concurrent', async () => {
    for (let round = 0; round < 5; round++) {
      const item = withoutKey(pay());
      const { digest } = settled(await harness.sendOne(item));
      const both = [withKey(item), refundOf(item, digest)];
      const statuses = (await harness.send(round % 2 === 0 ? both : both.reverse())).map(statusOf);
      expect(statuses.filter((status) => ['captured', 'voided'].includes(status))).toHaveLength(1);
    }
  });

  it("accepts one claim after a call without a key has charged a seller's hold", async () => {
    const item = pay({}, { kind: 'hold' });
    settled(await harness.sendOne(item));
    const charge = { ...item, kind: 'charge' } as FrameItem;
    settled(await harness.sendOne(withoutKey(charge)));
    expect((await harness.sendOne(withKey(charge))).status).toBe('captured');
    expect(statusOf(await harness.sendOne(withKey(charge)))).toBe('duplicate_settlement');
    expect(await harness.balanceOf(buyer.address)).toMatchObject({ spent: '1000', reserved: '0' });
  });
});

describe('a rejected payment', () => {
  const other = `0:${'33'.repeat(32)}`;
  const seconds = (): bigint => BigInt(Math.floor(harness.nowMs / 1000));

  it.each<[string, () => object, string]>([
    ['another network', () => ({ networkId: -3 }), 'invalid_network'],
    ['another deployment', () => ({ verifyingContract: other }), 'invalid_ton_nanopay_contract_mismatch'],
    ['another asset', () => ({ asset: other }), 'invalid_ton_nanopay_asset_mismatch'],
    ['the payer as the recipient', () => ({ to: buyer.address }), 'invalid_ton_nanopay_recipient_mismatch'],
    [
      'a payment that is valid later',
      () => ({ validAfterS: seconds() + 20n }),
      'invalid_ton_nanopay_valid_after',
    ],
    [
      'an expired payment',
      () => ({ validAfterS: seconds() - 90n, validBeforeS: seconds() - 30n }),
      'invalid_ton_nanopay_valid_before',
    ],
    [
      'a validity of a whole day',
      () => ({ validBeforeS: seconds() + 86_400n }),
      'invalid_ton_nanopay_valid_before',
    ],
    ['an unknown flag', () => ({ flags: 0b100000 }), 'invalid_payload'],
    ['a channel without terms', () => ({ flags: 0b10000 }), 'invalid_ton_nanopay_channel'],
    ['an amount of 0', () => ({ amountAtomic: 0n }), 'invalid_ton_nanopay_amount_mismatch'],
    ['an amount above the balance', () => ({ amountAtomic: 10_001n }), 'insufficient_funds'],
  ])('rejects %s', async (_, changes, reason) => {
    expect(statusOf(await harness.sendOne(pay(changes())))).toBe(reason);
    expect(await harness.balanceOf(buyer.address)).toMatchObject({ available: '10000' });
  });

  it('rejects an amount that differs from the signed amount, unless a maximum was signed', async () => {
    expect(statusOf(await harness.sendOne(pay({}, { amountAtomic: 999n })))).toBe(
      'invalid_ton_nanopay_amount_mismatch',
    );
    expect(statusOf(await harness.sendOne(pay({ flags: 3 }, { amountAtomic: 1001n })))).toBe(
      'invalid_ton_nanopay_amount_mismatch',
    );
    expect(settled(await harness.sendOne(pay({ flags: 3 }, { amountAtomic: 999n }))).amountAtomic).toBe(999n);
  });

  it.each(['to', 'nonce', 'resourceHash', 'amountAtomic', 'validBeforeS'] as const)(
    'rejects a %s that was changed after the signature',
    async (field) => {
      const [item, changed] = [
        pay(),
        pay(field === 'to' ? { to: other } : field === 'amountAtomic' ? { amountAtomic: 7n } : {}),
      ];
      const forged = { ...changed, signature: (item as { signature: Buffer }).signature } as FrameItem;
      expect(statusOf(await harness.sendOne(forged))).toBe('invalid_ton_nanopay_signature');
    },
  );

  it('rejects a key of another wallet and a missing key', async () => {
    const stranger = new Buyer();
    expect(statusOf(await harness.sendOne(pay({}, { publicKey: stranger.key.publicKey })))).toBe(
      'invalid_ton_nanopay_unknown_key',
    );
    expect(statusOf(await harness.sendOne(pay({}, { publicKey: undefined as never })))).toBe(
      'invalid_ton_nanopay_unknown_key',
    );
  });

  it('rejects a wallet key of small order, even with a signature that is valid for every payment', async () => {
    const one = `01${'00'.repeat(31)}`;
    // With the neutral element as key, the base point and the number one solve the equation without a private key.
    const publicKey = Buffer.from(one, 'hex');
    const signature = Buffer.from(`58${'66'.repeat(31)}${one}`, 'hex');
    const weak = { address: w5Account(publicKey) } as Buyer;
    await harness.fund(weak, 10_000n);
    const item = pay({ from: weak.address }, { publicKey, signature });
    expect(statusOf(await harness.sendOne(item))).toBe('invalid_ton_nanopay_weak_key');
    expect(await harness.balanceOf(weak.address)).toMatchObject({ available: '10000', spent: '0' });
  });

  it('rejects unknown payers, with one query for a frame full of them', async () => {
    const read = jest.spyOn(app.context.get(LedgerRepository), 'accounts');
    const items = Array.from({ length: 300 }, () => pay({ from: `0:${randomBytes(32).toString('hex')}` }));
    expect(new Set((await harness.send(items)).map(statusOf))).toEqual(new Set(['insufficient_funds']));
    expect(read).toHaveBeenCalledTimes(1);
    read.mockRestore();
  });

  it('rejects an account without balance before it verifies the signature', async () => {
    const poor = new Buyer();
    const item = { ...poor.pay(harness.nowMs), signature: Buffer.alloc(64) } as FrameItem;
    expect(statusOf(await harness.sendOne(item))).toBe('insufficient_funds');
  });
});

describe('a hold', () => {
  const hold = (changes = {}) => pay(changes, { kind: 'hold' });

  it('reserves the amount until it is charged, once', async () => {
    const item = hold();
    expect(settled(await harness.sendOne(item)).status).toBe('held');
    expect(await harness.balanceOf(buyer.address)).toMatchObject({
      available: '9000',
      reserved: '1000',
      spent: '0',
    });
    const charge = { ...item, kind: 'charge', callKey: randomBytes(16) } as FrameItem;
    expect(settled(await harness.sendOne(charge)).status).toBe('captured');
    expect(await harness.balanceOf(buyer.address)).toMatchObject({
      available: '9000',
      reserved: '0',
      spent: '1000',
    });
    expect(statusOf(await harness.sendOne({ ...charge, callKey: randomBytes(16) } as FrameItem))).toBe(
      'duplicate_settlement',
    );
    expect(statusOf(await harness.sendOne({ ...item, callKey: randomBytes(16) } as FrameItem))).toBe(
      'duplicate_settlement',
    );
  });

  it('charges once under concurrent charges', async () => {
    const item = hold();
    settled(await harness.sendOne(item));
    const charges = Array.from(
      { length: 50 },
      () => ({ ...item, kind: 'charge', callKey: randomBytes(16) }) as FrameItem,
    );
    const outcomes = await harness.send(charges);
    expect(outcomes.filter(({ status }) => status === 'captured')).toHaveLength(1);
  });

  it('releases the remainder of a maximum', async () => {
    const item = hold({ flags: 3, amountAtomic: 5000n });
    settled(await harness.sendOne(item));
    settled(await harness.sendOne({ ...item, kind: 'charge', amountAtomic: 1200n } as FrameItem));
    expect(await harness.balanceOf(buyer.address)).toMatchObject({
      available: '8800',
      reserved: '0',
      spent: '1200',
    });
  });
});

describe('release of a hold', () => {
  const upTo = () => pay({ flags: 3 }, { kind: 'hold' });
  const nothing = (item: FrameItem, callKey = randomBytes(16)): FrameItem =>
    ({ ...item, kind: 'charge', amountAtomic: 0n, callKey }) as FrameItem;

  it('releases the whole amount by a charge of 0, and replays the outcome for the same call', async () => {
    const item = upTo();
    settled(await harness.sendOne(item));
    const release = nothing(item);
    expect(settled(await harness.sendOne(release)).status).toBe('voided');
    expect(await harness.sendOne(release)).toEqual(await harness.sendOne(release));
    expect(await harness.balanceOf(buyer.address)).toMatchObject({
      available: '10000',
      reserved: '0',
      spent: '0',
    });
    // It can be neither charged nor released again.
    for (const late of [nothing(item), { ...item, kind: 'charge', callKey: randomBytes(16) } as FrameItem])
      expect(['invalid_transaction_state', 'duplicate_settlement']).toContain(
        statusOf(await harness.sendOne(late)),
      );
    expect(await harness.balanceOf(buyer.address)).toMatchObject({ available: '10000' });
  });

  it('rejects a charged payment, an unknown payment, and a payment without a maximum', async () => {
    const charged = { ...upTo(), kind: 'charge' } as FrameItem;
    settled(await harness.sendOne(charged));
    expect(statusOf(await harness.sendOne(nothing(charged)))).toBe('invalid_transaction_state');
    // Even the call that charged it cannot release it: that would revert a payment of the seller.
    expect(statusOf(await harness.sendOne(nothing(charged, charged.callKey)))).toBe(
      'invalid_transaction_state',
    );
    expect(statusOf(await harness.sendOne(nothing(upTo())))).toBe('invalid_transaction_state');
    const fixed = pay({}, { kind: 'hold' });
    settled(await harness.sendOne(fixed));
    expect(statusOf(await harness.sendOne(nothing(fixed)))).toBe('invalid_ton_nanopay_amount_mismatch');
    expect(await harness.balanceOf(buyer.address)).toMatchObject({ spent: '1000', reserved: '1000' });
  });
});

describe('a check', () => {
  const check = (item: FrameItem): FrameItem =>
    ({ ...item, kind: 'check', callKey: randomBytes(16) }) as FrameItem;

  it('returns the outcome of a charge without any effect', async () => {
    const item = pay();
    const before = await harness.balanceOf(buyer.address);
    for (const outcome of await harness.send([check(item), check(item)]))
      expect(outcome).toMatchObject({ status: 'checked', amountAtomic: 1000n, seq: 0n });
    expect(await harness.balanceOf(buyer.address)).toEqual(before);
    expect(settled(await harness.sendOne(item)).status).toBe('captured');
    expect(statusOf(await harness.sendOne(check(item)))).toBe('duplicate_settlement');
  });

  it.each<[string, () => FrameItem, string]>([
    ['an amount above the balance', () => pay({ amountAtomic: 10_001n }), 'insufficient_funds'],
    ['a wrong signature', () => pay({}, { signature: Buffer.alloc(64, 1) }), 'invalid_ton_nanopay_signature'],
    ['another network', () => pay({ networkId: -3 }), 'invalid_network'],
  ])('rejects %s', async (_, item, reason) => {
    expect(statusOf(await harness.sendOne(check(item())))).toBe(reason);
  });

  it('applies the limits of the payer without creating an approval', async () => {
    const limited = new Buyer();
    await harness.fund(limited, 10_000n);
    await harness.database.query(
      'UPDATE tee.accounts SET max_amount = 999, rate_limit = 5 WHERE account = $1',
      [Buffer.from(limited.address.slice(2), 'hex')],
    );
    const item = limited.pay(harness.nowMs);
    const outcome = await harness.sendOne(check(item));
    expect(outcome).toMatchObject({ reason: 'approval_required', approvalId: undefined });
    const asked = await harness.database.query('SELECT * FROM tee.approvals WHERE payer = $1', [
      Buffer.from(limited.address.slice(2), 'hex'),
    ]);
    expect(asked).toEqual([]);
    // After the charge has created the approval, the check reports it too.
    const { approvalId } = (await harness.sendOne(item)) as { approvalId?: Buffer };
    expect(approvalId).toHaveLength(16);
    expect(await harness.sendOne(check(item))).toMatchObject({ reason: 'approval_required', approvalId });
  });
});

describe('a refund', () => {
  const voidOf = (item: FrameItem, outcome: Outcome, callKey = item.callKey): FrameItem => ({
    kind: 'void',
    callKey,
    confirmationId: Buffer.from(confirmationIdOf(settled(outcome).digest), 'hex'),
  });

  it('refunds once with a receipt, only for the call that charged', async () => {
    const item = pay();
    const charged = await harness.sendOne(item);
    const earned = (await harness.balanceOf(seller))!['earned'];
    expect(statusOf(await harness.sendOne(voidOf(item, charged, randomBytes(16))))).toBe(
      'invalid_transaction_state',
    );
    const outcomes = await harness.send([
      voidOf(item, charged),
      voidOf(item, charged),
      voidOf(item, charged),
    ]);
    expect(outcomes.map(statusOf)).toEqual(['voided', 'voided', 'voided']);
    expect(outcomes[1]).toEqual(outcomes[0]);
    expect(isReceipt(receiptOf(settled(outcomes[0]!)), enclaveKey)).toBe(true);
    expect(await harness.balanceOf(buyer.address)).toMatchObject({ available: '10000', spent: '0' });
    expect(BigInt((await harness.balanceOf(seller))!['earned']!)).toBe(BigInt(earned!) - 1000n);
    // The nonce remains used after the refund.
    expect(statusOf(await harness.sendOne(item))).toBe('duplicate_settlement');
  });

  it('rejects a refund after the payout of the seller', async () => {
    const to = `0:${randomBytes(32).toString('hex')}`;
    const item = pay({ to });
    const charged = await harness.sendOne(item);
    await harness.database.query(`UPDATE tee.accounts SET settled = earned WHERE account = $1`, [
      Buffer.from(to.slice(2), 'hex'),
    ]);
    await harness.startApp();
    expect(statusOf(await harness.sendOne(voidOf(item, charged)))).toBe('payment_paid_out');
  });
});
