import {
  Address,
  beginCell,
  Dictionary,
  type Builder,
  type Cell,
  type CommonMessageInfo,
  type Message,
  type Transaction,
  type TransactionDescriptionGeneric,
} from '@ton/core';
import type { AccountTransaction } from './account-reader';
import { depositByNotification, depositInWallet, type DepositVerdict } from './deposits';
import { jettonOps } from './jettons';

// Cases that are rare on a chain. The sandbox tests the usual cases.

const address = (digit: string, workchain = 0) =>
  new Address(workchain, Buffer.from(digit.repeat(64), 'hex'));
const [owner, jettonWallet, sender] = [address('a'), address('b'), address('c')];
const account = { owner: owner.toRawString(), jettonWallet: jettonWallet.toRawString() };

interface Shape {
  /** The account of the transaction. */
  of?: Address;
  info?: Partial<CommonMessageInfo>;
  body?: Cell;
  description?: unknown;
  inMessage?: Message;
}

const computed = { type: 'vm', success: true, exitCode: 0 };
const acted = { success: true, resultCode: 0 };
const executed = { type: 'generic', aborted: false, computePhase: computed, actionPhase: acted };

function transaction(
  from: Address,
  to: Address,
  { info, body, description, ...shape }: Shape,
): AccountTransaction {
  const usual = { type: 'internal', src: from, dest: to, bounced: false, ...info };
  const parsed = {
    inMessage: { info: usual, body: body ?? beginCell().endCell() },
    outMessages: Dictionary.empty(),
    description: (description ?? executed) as TransactionDescriptionGeneric,
    ...('inMessage' in shape && { inMessage: shape.inMessage }),
  } as unknown as Transaction;
  const of = shape.of ?? to;
  return { account: of.toRawString(), lt: 7n, hash: 'ff'.repeat(32), at: new Date(0), parsed };
}

/** Both functions, each with the operation code of its message. */
const readers: [string, number, (shape: Shape) => DepositVerdict][] = [
  [
    'depositByNotification',
    jettonOps.transferNotification,
    (shape) => depositByNotification(transaction(jettonWallet, owner, shape), account),
  ],
  [
    'depositInWallet',
    jettonOps.internalTransfer,
    (shape) => depositInWallet(transaction(address('d'), jettonWallet, shape), account),
  ],
];

describe('depositInWallet with a bounced transfer', () => {
  const from = address('d');
  const sent = (body: Builder, shape: Shape = {}) =>
    depositInWallet(
      transaction(from, jettonWallet, { ...shape, body: body.endCell(), info: { bounced: true } as never }),
      account,
    );
  const whole = () =>
    beginCell()
      .storeUint(0xffffffff, 32)
      .storeUint(jettonOps.internalTransfer, 32)
      .storeUint(5, 64)
      .storeCoins(9);

  it('returns the query id and amount of a bounced transfer', () => {
    const about = { account: jettonWallet.toRawString(), lt: 7n, hash: 'ff'.repeat(32) };
    expect(sent(whole())).toEqual({
      returned: { from: from.toRawString(), amountAtomic: 9n, queryId: 5n, ...about },
    });
  });

  it('ignores other bounces, partial bounces, and bounces that the wallet has not credited', () => {
    const bounced = { reason: 'bounced' };
    expect(sent(beginCell())).toEqual(bounced);
    expect(sent(beginCell().storeBits(whole().endCell().bits.substring(0, 130)))).toEqual(bounced);
    const other = beginCell().storeUint(0xffffffff, 32).storeUint(jettonOps.transfer, 32).storeUint(5, 64);
    expect(sent(other.storeCoins(9))).toEqual(bounced);
    expect(sent(whole(), { description: { ...executed, aborted: true } })).toEqual(bounced);
  });
});

describe.each(readers)('%s', (_name, op, read) => {
  const head = (amount: bigint, from: Address | null = sender) =>
    beginCell().storeUint(op, 32).storeUint(5, 64).storeCoins(amount).storeAddress(from);
  const verdict = (body: Builder, shape: Shape = {}) => read({ ...shape, body: body.endCell() });

  it('returns a deposit with the amount and sender of its body', () => {
    expect(verdict(head(1_234n)).deposit).toMatchObject({
      sender: sender.toRawString(),
      amountAtomic: 1_234n,
      queryId: 5n,
      lt: 7n,
      hash: 'ff'.repeat(32),
    });
  });

  it('returns the maximum amount without loss of digits', () => {
    const most = 2n ** 120n - 1n;
    expect(verdict(head(most)).deposit?.amountAtomic).toBe(most);
  });

  it('ignores data after the sender, which third parties choose', () => {
    const another = beginCell().storeAddress(address('e')).storeUint(7, 64).endCell();
    const endings: ((body: Builder) => Builder)[] = [
      (body) => body.storeBit(true).storeRef(another),
      // The flag of a payload without the payload.
      (body) => body.storeBit(true),
      (body) => body.storeBit(false).storeUint(0, 32).storeStringTail('credit 0:eeee'),
      (body) => body.storeSlice(another.beginParse()).storeRef(another).storeRef(another),
    ];
    for (const end of endings) expect(verdict(end(head(8n)))).toEqual(verdict(head(8n)));
  });

  it('ignores a truncated or missing body', () => {
    const whole = head(1_234n).endCell();
    for (let bits = 32; bits < whole.bits.length; bits += 5) {
      const cut = beginCell().storeBits(whole.bits.substring(0, bits));
      expect(verdict(cut)).toEqual({ reason: 'malformed' });
    }
    for (const bits of [0, 8, 31]) {
      expect(verdict(beginCell().storeBits(whole.bits.substring(0, bits)))).toEqual({ reason: 'wrong_op' });
    }
    const external = beginCell()
      .storeUint(op, 32)
      .storeUint(5, 64)
      .storeCoins(1)
      .storeUint(1, 2)
      .storeUint(8, 9)
      .storeUint(9, 8);
    expect(verdict(external)).toEqual({ reason: 'malformed' });
  });

  it('ignores another operation code', () => {
    const others = Object.values(jettonOps).filter((it) => it !== op);
    for (const other of [...others, 0, 0xffffffff, 0xd53276db]) {
      const body = beginCell().storeUint(other, 32).storeUint(5, 64).storeCoins(9).storeAddress(sender);
      expect(verdict(body)).toEqual({ reason: 'wrong_op' });
    }
  });

  it('ignores a missing sender, another workchain, and an amount of 0', () => {
    expect(verdict(head(5n, null))).toEqual({ reason: 'no_sender' });
    expect(verdict(head(5n, address('c', -1)))).toEqual({ reason: 'no_sender' });
    expect(verdict(head(0n))).toEqual({ reason: 'no_amount' });
  });

  it('ignores bounced and external messages', () => {
    expect(verdict(head(5n), { info: { bounced: true } })).toEqual({ reason: 'bounced' });
    expect(verdict(head(5n), { info: { type: 'external-in' } as never })).toEqual({ reason: 'not_incoming' });
    expect(read({ inMessage: undefined as never })).toEqual({ reason: 'not_incoming' });
  });

  it('ignores transactions of another account and messages to another account', () => {
    expect(verdict(head(5n), { of: address('e') })).toEqual({ reason: 'not_incoming' });
    expect(verdict(head(5n), { info: { dest: address('e') } as never })).toEqual({ reason: 'not_incoming' });
  });

  it.each<[string, object]>([
    ['aborted', { aborted: true }],
    ['with skipped computation', { computePhase: { type: 'skipped', reason: 'no-gas' } }],
    ['with failed computation', { computePhase: { ...computed, success: false, exitCode: 707 } }],
    ['with a nonzero exit code', { computePhase: { ...computed, exitCode: 1 } }],
    ['without actions', { actionPhase: null }],
    ['with failed actions', { actionPhase: { ...acted, success: false } }],
    ['with a nonzero result code of its actions', { actionPhase: { ...acted, resultCode: 37 } }],
    ['of the tick-tock type', { type: 'tick-tock' }],
  ])('ignores a transaction %s', (_how, change) => {
    expect(verdict(head(5n), { description: { ...executed, ...change } })).toEqual({
      reason: 'not_executed',
    });
  });
});

it('depositByNotification accepts notifications from only one jetton wallet', () => {
  const body = beginCell()
    .storeUint(jettonOps.transferNotification, 32)
    .storeUint(0, 64)
    .storeCoins(5)
    .storeAddress(sender)
    .endCell();
  for (const forger of [sender, owner, address('b', -1)])
    expect(depositByNotification(transaction(forger, owner, { body }), account)).toEqual({
      reason: 'wrong_source',
    });
});
