import { randomBytes, randomUUID } from 'node:crypto';
import { AnyCaller, teeAccountsApi, teeMoneyApi, type OwnerProof } from '@tollbridge/contracts';
import { BusClient, type BusOperation, type DomainError } from '@tollbridge/rpc';
import { ManualClock } from '@tollbridge/testing';
import {
  approvalDecisionBytes,
  confirmationIdOf,
  digestOf,
  policyBytes,
  withdrawalBytes,
  type FrameItem,
  type Outcome,
} from '@tollbridge/nanopay-protocol';
import { Buyer, contract, seller, statusOf, TeeHarness } from '../testing/tee-harness';

const {
  writePolicy,
  readPolicy,
  readApprovals,
  decideApproval,
  readBalance,
  readPayment,
  readStats,
  attest,
} = teeAccountsApi.operations;
const { requestWithdrawal, readWithdrawal, creditDeposit, readCursor } = teeMoneyApi.operations;

let clock: ManualClock;
let harness: TeeHarness;
let client: BusClient;
let buyer: Buyer;

beforeAll(async () => {
  clock = new ManualClock(Date.now());
  harness = await TeeHarness.start(clock);
  await harness.startApp();
  client = new BusClient(harness.bus, new AnyCaller());
});
afterAll(async () => {
  client?.close();
  await harness?.close();
});
beforeEach(async () => {
  buyer = new Buyer();
  await harness.fund(buyer, 1_000_000n);
});

const ask = <I, O>(operation: BusOperation<I, O>, input: Partial<I> & object): Promise<O> =>
  client.call(operation, input as I);
const codeOf = async (answer: Promise<unknown>): Promise<string> =>
  answer.then(
    () => 'OK',
    (error: DomainError) => error.code,
  );
const times = (seconds = 60) => ({
  nonce: randomBytes(32),
  validBeforeS: BigInt(Math.floor(harness.nowMs / 1000) + seconds),
});
type Times = ReturnType<typeof times>;

const proofOf = (message: Buffer, { nonce, validBeforeS }: Times, by = buyer): OwnerProof => ({
  signature: by.key.sign(digestOf(message)).toString('hex'),
  nonce: nonce.toString('hex'),
  validBefore: validBeforeS.toString(),
  publicKey: by.key.publicKey.toString('hex'),
  signatureKind: 'raw',
});

function policyOrder(maxAmountAtomic: bigint, rateLimit: number, at = times(), by = buyer) {
  const proof = proofOf(policyBytes(buyer.scope, { maxAmountAtomic, rateLimit, ...at }), at, by);
  return { address: buyer.address, maxAmount: maxAmountAtomic.toString(), rateLimit, proof, isOwner: false };
}
const limit = (maxAmountAtomic: bigint, rateLimit: number) =>
  ask(writePolicy, policyOrder(maxAmountAtomic, rateLimit));

const pay = (changes = {}): Promise<Outcome> => harness.sendOne(buyer.pay(harness.nowMs, changes));
describe('payment limits', () => {
  it('accepts each signature of the owner once', async () => {
    const order = policyOrder(5_000n, 10);
    expect(await ask(writePolicy, order)).toMatchObject({ maxAmount: '5000', rateLimit: 10 });
    expect(await codeOf(ask(writePolicy, order))).toBe('CONFLICT');
    expect(await ask(readPolicy, { address: buyer.address })).toMatchObject({
      maxAmount: '5000',
      rateLimit: 10,
    });
  });

  it('rejects a change of a used account by another key', async () => {
    const stranger = new Buyer();
    const { proof: _, ...unsigned } = policyOrder(0n, 0);
    expect(await codeOf(ask(writePolicy, unsigned))).toBe('FORBIDDEN');
    expect(await codeOf(ask(writePolicy, policyOrder(0n, 0, times(), stranger)))).toBe('FORBIDDEN');
    expect(await codeOf(ask(writePolicy, { ...policyOrder(0n, 5), rateLimit: 6 }))).toBe('FORBIDDEN');
    expect(await codeOf(ask(writePolicy, policyOrder(0n, 0, times(-1))))).toBe('FORBIDDEN');
    expect(await codeOf(ask(writePolicy, policyOrder(0n, 0, times(3_600))))).toBe('FORBIDDEN');
    expect(await ask(readPolicy, { address: buyer.address })).toMatchObject({
      maxAmount: null,
      updatedAt: null,
    });
    expect(statusOf(await pay())).toBe('captured');
  });

  it('accepts any key for an unused account, and always accepts the stored key', async () => {
    const unused = { address: new Buyer().address, maxAmount: '1', rateLimit: 1 };
    expect(await ask(writePolicy, { ...unused, isOwner: false })).toMatchObject({ maxAmount: '1' });
    expect(
      await ask(writePolicy, { address: buyer.address, maxAmount: '7', rateLimit: 1, isOwner: true }),
    ).toMatchObject({ maxAmount: '7' });
  });

  it('rejects a limit that the ledger cannot store, without effect on concurrent payments', async () => {
    const unused = { address: new Buyer().address, rateLimit: 1, isOwner: false };
    const orders = [2n ** 63n, 2n ** 64n, 10n ** 76n].map((most) =>
      codeOf(ask(writePolicy, { ...unused, maxAmount: most.toString() })),
    );
    const payments = await Promise.all(Array.from({ length: 5 }, () => pay()));
    expect(await Promise.all(orders)).toEqual(Array(3).fill('VALIDATION_ERROR'));
    expect(payments.map(statusOf)).toEqual(Array(5).fill('captured'));
    expect(await limit(2n ** 63n - 1n, 100)).toMatchObject({ maxAmount: '9223372036854775807' });
  });

  it('allows no more payments per minute than the limit, under concurrency', async () => {
    await limit(1_000_000n, 3);
    const outcomes = await harness.send(Array.from({ length: 20 }, () => buyer.pay(harness.nowMs)));
    expect(outcomes.filter(({ status }) => status === 'captured')).toHaveLength(3);
    const rejected = outcomes.filter((outcome) => statusOf(outcome) === 'rate_limited');
    expect(rejected).toHaveLength(17);
    expect(rejected[0]).toMatchObject({ retryAfterS: 60 });
    clock.advance(60_000);
    expect(statusOf(await pay())).toBe('captured');
  });
});

describe('approval of a payment above the limit', () => {
  const asked = async (changes = {}): Promise<string> => {
    const outcome = await pay(changes);
    expect(statusOf(outcome)).toBe('approval_required');
    return (outcome as { approvalId: Buffer }).approvalId.toString('hex');
  };
  const decide = (id: string, isApproved: boolean, by = buyer, signedFor = isApproved) => {
    const at = times();
    const message = approvalDecisionBytes(buyer.scope, {
      approvalId: Buffer.from(id, 'hex'),
      isApproved: signedFor,
      ...at,
    });
    return ask(decideApproval, { id, isApproved, proof: proofOf(message, at, by) });
  };

  beforeEach(() => limit(500n, 1_000));

  it('requests the approval once, and charges once after the approval', async () => {
    const id = await asked();
    expect(await asked()).toBe(id);
    expect(await harness.balanceOf(buyer.address)).toMatchObject({ available: '1000000', reserved: '0' });
    const { approvals } = await ask(readApprovals, { address: buyer.address, status: 'pending', limit: 10 });
    expect(approvals).toMatchObject([
      { id, from: buyer.address, to: seller, amount: '1000', status: 'pending' },
    ]);
    expect(await decide(id, true)).toMatchObject({ status: 'approved' });
    const outcomes = await harness.send(Array.from({ length: 10 }, () => buyer.pay(harness.nowMs)));
    expect(outcomes.filter(({ status }) => status === 'captured')).toHaveLength(1);
    expect(outcomes.filter((outcome) => statusOf(outcome) === 'approval_required')).toHaveLength(9);
  });

  it('rejects the payment when the payer rejects it', async () => {
    const id = await asked();
    expect(await decide(id, false)).toMatchObject({ status: 'rejected' });
    expect(statusOf(await pay())).toBe('approval_rejected');
    expect(await codeOf(decide(id, true))).toBe('CONFLICT');
  });

  it('rejects a decision that another key signed, and a signature of the opposite decision', async () => {
    const id = await asked();
    expect(await codeOf(decide(id, true, new Buyer()))).toBe('FORBIDDEN');
    expect(await codeOf(decide(id, true, buyer, false))).toBe('FORBIDDEN');
    expect(await codeOf(ask(decideApproval, { id, isApproved: true }))).toBe('FORBIDDEN');
    expect(await codeOf(ask(decideApproval, { id, isApproved: true, owner: seller }))).toBe('FORBIDDEN');
    expect(await codeOf(decide('00'.repeat(16), true))).toBe('NOT_FOUND');
    expect(await ask(decideApproval, { id, isApproved: true, owner: buyer.address })).toMatchObject({
      status: 'approved',
    });
  });

  it('applies to one resource and amount only', async () => {
    await decide(await asked(), true);
    expect(statusOf(await pay({ resourceHash: Buffer.alloc(32, 9) }))).toBe('approval_required');
    expect(statusOf(await pay({ amountAtomic: 1_001n }))).toBe('approval_required');
    expect(statusOf(await pay({ amountAtomic: 999n }))).toBe('captured');
  });

  it('expires after five minutes, or ten minutes after the approval', async () => {
    const id = await asked();
    clock.advance(5 * 60_000);
    expect(await codeOf(decide(id, true))).toBe('CONFLICT');
    const next = await asked();
    expect(next).not.toBe(id);
    await decide(next, true);
    clock.advance(10 * 60_000);
    expect(statusOf(await pay())).toBe('approval_required');
    const { approvals } = await ask(readApprovals, { address: buyer.address, status: 'expired', limit: 10 });
    expect(approvals.map((approval) => approval.id)).toEqual(expect.arrayContaining([id, next]));
  });

  it('lists approvals by state and payer, newest first, up to the limit', async () => {
    const rejected = await asked();
    await decide(rejected, false);
    clock.advance(10 * 60_000);
    const expired = await asked();
    clock.advance(10 * 60_000);
    const used = await asked();
    await decide(used, true);
    expect(statusOf(await pay())).toBe('captured');
    clock.advance(1_000);
    const approved = await asked();
    await decide(approved, true);
    clock.advance(1_000);
    const pending = await asked({ amountAtomic: 1001n });
    const listed = async (wanted: object) => {
      const { approvals } = await ask(readApprovals, { address: buyer.address, limit: 100, ...wanted });
      return approvals.map(({ id, status }) => [status, id]);
    };
    const all = Object.entries({ pending, approved, used, expired, rejected });
    expect(await listed({})).toEqual(all);
    for (const one of all) {
      expect(await listed({ status: one[0] })).toEqual([one]);
      const { approvals } = await ask(readApprovals, { status: one[0] as 'used', limit: 1 });
      expect(approvals).toMatchObject([{ status: one[0] }]);
    }
    expect(await listed({ limit: 2 })).toEqual(all.slice(0, 2));
    expect(await listed({ limit: 101 })).toEqual(all);
    expect(await codeOf(listed({ limit: 0 }))).toBe('VALIDATION_ERROR');
  });

  it('survives a restart in every state', async () => {
    await decide(await asked(), true);
    await harness.startApp();
    expect(statusOf(await pay())).toBe('captured');
    expect(statusOf(await pay())).toBe('approval_required');
  });
});

describe('deposits and withdrawals', () => {
  const transaction = () => ({
    chainAccount: contract,
    lt: String(Date.now()),
    hash: randomBytes(32).toString('hex'),
  });

  it('credits a deposit once, however often it is submitted', async () => {
    const depositor = new Buyer();
    const deposit = { sender: depositor.address, amount: '700', ...transaction() };
    const credits = await Promise.all(Array.from({ length: 10 }, () => ask(creditDeposit, deposit)));
    expect(credits.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(await ask(creditDeposit, deposit)).toEqual({ isNew: false });
    expect(await ask(readBalance, { address: depositor.address })).toMatchObject({
      available: '700',
      deposited: '700',
      totalDeposited: '700',
      earned: '0',
    });
    expect((await ask(readCursor, { chainAccount: contract })).lt).toBe(deposit.lt);
  });

  it('accepts each withdrawal signature of the owner once', async () => {
    const at = times();
    const message = withdrawalBytes(buyer.scope, { destination: seller, amountAtomic: 400_000n, ...at });
    const order = {
      address: buyer.address,
      destination: seller,
      amount: '400000',
      proof: proofOf(message, at),
    };
    const [first, ...others] = await Promise.allSettled(
      Array.from({ length: 5 }, () => ask(requestWithdrawal, order)),
    );
    const done = [first!, ...others].filter(({ status }) => status === 'fulfilled');
    expect(done.length).toBeGreaterThanOrEqual(1);
    const again = await ask(requestWithdrawal, order);
    expect(again).toMatchObject({ status: 'pending', amount: '400000', destination: seller });
    expect(await ask(readWithdrawal, { id: again.withdrawalId })).toEqual(again);
    expect(await harness.balanceOf(buyer.address)).toMatchObject({ available: '600000', reserved: '400000' });
    expect(await codeOf(ask(requestWithdrawal, { ...order, destination: contract }))).toBe(
      'VALIDATION_ERROR',
    );
    expect(await codeOf(ask(requestWithdrawal, { ...order, amount: '1' }))).toBe('CONFLICT');
    const other = times();
    const forged = { ...order, proof: proofOf(message, other) };
    expect(await codeOf(ask(requestWithdrawal, forged))).toBe('FORBIDDEN');
  });

  it('rejects a withdrawal above the balance', async () => {
    const at = times();
    const message = withdrawalBytes(buyer.scope, { destination: seller, amountAtomic: 1_000_001n, ...at });
    const order = {
      address: buyer.address,
      destination: seller,
      amount: '1000001',
      proof: proofOf(message, at),
    };
    expect(await codeOf(ask(requestWithdrawal, order))).toBe('INSUFFICIENT_BALANCE');
    for (const amount of [2n ** 63n, 2n ** 128n].map(String))
      expect(await codeOf(ask(requestWithdrawal, { ...order, amount }))).toBe('VALIDATION_ERROR');
    for (const id of ['abc', randomUUID()])
      expect(await codeOf(ask(readWithdrawal, { id }))).toBe('NOT_FOUND');
  });
});

describe('an amount above the maximum of the ledger', () => {
  const tooMuch = (2n ** 63n).toString();
  const beyondSigning = (2n ** 128n).toString();
  const epochOf = async (): Promise<string> =>
    (await harness.database.query<{ epoch: string }>('SELECT epoch FROM tee.ledger'))[0]!.epoch;

  it.each([tooMuch, beyondSigning])('rejects %s without effect on concurrent payments', async (amount) => {
    const before = await epochOf();
    const { proof } = policyOrder(1n, 1);
    const unused = { address: new Buyer().address, maxAmount: amount, rateLimit: 1, isOwner: false };
    const deposit = { sender: buyer.address, amount, chainAccount: contract, hash: 'ab'.repeat(32) };
    const answers = await Promise.all([
      codeOf(ask(writePolicy, unused)),
      codeOf(ask(writePolicy, { ...unused, address: buyer.address, proof: proof })),
      codeOf(ask(requestWithdrawal, { address: buyer.address, destination: seller, amount, proof: proof })),
      codeOf(ask(creditDeposit, { ...deposit, lt: '990' })),
    ]);
    expect(answers).toEqual(Array(4).fill('VALIDATION_ERROR'));
    expect(statusOf(await pay())).toBe('captured');
    // A failed commit would have reloaded the ledger with a new epoch.
    expect(await epochOf()).toBe(before);
  });

  it('rejects a deposit when the sum with the balance is above the maximum', async () => {
    const before = await epochOf();
    const deposit = { sender: new Buyer().address, chainAccount: contract, hash: 'cd'.repeat(32) };
    const most = (2n ** 63n - 1n).toString();
    const credit = (amount: string, lt: string) => ask(creditDeposit, { ...deposit, amount, lt });
    expect(await credit(most, '991')).toEqual({ isNew: true });
    expect(await codeOf(credit('1', '992'))).toBe('VALIDATION_ERROR');
    expect(statusOf(await pay())).toBe('captured');
    expect(await epochOf()).toBe(before);
  });
});

describe('account and payment reads', () => {
  it('returns zeros for an unknown account', async () => {
    expect(await ask(readBalance, { address: new Buyer().address })).toMatchObject({
      available: '0',
      spent: '0',
    });
    expect(await codeOf(ask(readBalance, { address: `EQ${'A'.repeat(46)}` }))).toBe('VALIDATION_ERROR');
  });

  it('returns the state of a payment with its receipts', async () => {
    const item = buyer.pay(harness.nowMs) as FrameItem & { kind: 'charge' };
    const outcome = (await harness.sendOne(item)) as { seq: bigint };
    const stats = await ask(readStats, {});
    expect(BigInt(stats.payments)).toBeGreaterThan(0n);
    expect(stats.ledger.seq).toBe(outcome.seq.toString());
    // The sums are cached for a second.
    await harness.sendOne(buyer.pay(harness.nowMs));
    expect(await ask(readStats, {})).toEqual(stats);
    clock.advance(1_000);
    expect((await ask(readStats, {})).payments).toBe((BigInt(stats.payments) + 1n).toString());
    const id = confirmationIdOf(digestOf(item.payment));
    expect(await ask(readPayment, { id })).toMatchObject({
      confirmationId: id,
      status: 'captured',
      chargedAmount: '1000',
      refund: null,
      receipt: { seq: outcome.seq.toString(), amount: '1000' },
    });
    await harness.sendOne({ kind: 'void', callKey: item.callKey, confirmationId: Buffer.from(id, 'hex') });
    expect(await ask(readPayment, { id })).toMatchObject({ status: 'voided', refund: { type: 'refund' } });
    expect(await codeOf(ask(readPayment, { id: '00'.repeat(16) }))).toBe('NOT_FOUND');
  });

  it('returns no charged amount for a held and for a released payment', async () => {
    const item = {
      ...(buyer.pay(harness.nowMs) as FrameItem & { kind: 'charge' }),
      kind: 'hold' as const,
      holdS: 60,
    };
    expect(statusOf(await harness.sendOne(item))).toBe('held');
    const id = confirmationIdOf(digestOf(item.payment));
    const nothing = { chargedAmount: '0', receipt: null, refund: null };
    expect(await ask(readPayment, { id })).toMatchObject({ status: 'held', amount: '1000', ...nothing });
    await harness.sendOne({ kind: 'void', callKey: item.callKey, confirmationId: Buffer.from(id, 'hex') });
    expect(await ask(readPayment, { id })).toMatchObject({ status: 'voided', amount: '1000', ...nothing });
  });

  it('returns an attestation document of mode none without hardware', async () => {
    const nonce = randomBytes(16).toString('hex');
    expect(await ask(attest, { nonce })).toMatchObject({
      mode: 'none',
      attested: false,
      quote: null,
      nonce,
      verifyingContract: contract,
    });
  });
});
