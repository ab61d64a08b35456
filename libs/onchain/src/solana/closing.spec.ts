import { closeRecordInstruction, payInstruction, type Instruction } from './instructions';
import { addressToBytes, SYSTEM_PROGRAM } from './keys';
import { recordAddress, u64ToBytes } from './order';
import { CLOSABLE_AFTER_SECONDS, decodeRecord, RECORD_BYTES } from './record';
import { addressOf, keyOf, NOW, PROGRAM, SOL } from './testing/local-cluster';
import { nativeOrder, PAYER, PaymentCluster, tokenOrder, TRANSACTION_FEE } from './testing/payments';

const order = tokenOrder();
const RECORD = recordAddress(PROGRAM, order);
const CLOSABLE = order.deadline + CLOSABLE_AFTER_SECONDS + 1n;
const STRANGER = addressOf('stranger');
const close = closeRecordInstruction(PROGRAM, RECORD, PAYER);

let cluster: PaymentCluster;
beforeEach(() => {
  cluster = PaymentCluster.create();
  cluster.setAccount(STRANGER, { lamports: SOL });
  expect(cluster.pay(order).error).toBeUndefined();
});
const byStranger = (instruction: Instruction) => cluster.send([instruction], keyOf('stranger'));

describe('Closing the record of a payment', () => {
  it('returns its rent to the payer', () => {
    cluster.setTime(CLOSABLE);
    const before = cluster.lamports(PAYER);
    expect(byStranger(close).error).toBeUndefined();
    expect(cluster.lamports(PAYER)).toBe(before + cluster.rent(RECORD_BYTES));
    expect(cluster.lamports(STRANGER)).toBe(SOL - TRANSACTION_FEE);
    expect(cluster.account(RECORD)).toBeUndefined();
  });

  it('returns what strangers sent to it, too', () => {
    const { data, owner, lamports } = cluster.account(RECORD)!;
    cluster.setAccount(RECORD, { data, owner, lamports: lamports + 77n });
    cluster.setTime(CLOSABLE);
    const before = cluster.lamports(PAYER);
    expect(byStranger(close).error).toBeUndefined();
    expect(cluster.lamports(PAYER)).toBe(before + lamports + 77n);
  });

  it.each([NOW, order.deadline, order.deadline + 1n, CLOSABLE - 1n])('rejects closing at %s', (time) => {
    cluster.setTime(time);
    expect(byStranger(close).error).toBe('RECORD_NOT_CLOSABLE');
    expect(cluster.isPaid(order)).toBe(true);
  });

  it('never makes an order payable again', () => {
    cluster.setTime(CLOSABLE);
    expect(byStranger(close).error).toBeUndefined();
    for (const time of [CLOSABLE, CLOSABLE + 1n, 2n ** 62n]) {
      cluster.setTime(time);
      expect(cluster.pay(order).error).toBe('ORDER_EXPIRED');
    }
    cluster.setTime(CLOSABLE);
    const { error } = cluster.send([close, payInstruction(PROGRAM, order, PAYER)], keyOf('payer'));
    expect(error).toBe('WRONG_RECORD');
  });

  it('never closes the record of an order with the latest deadline', () => {
    const endless = tokenOrder({ deadline: 2n ** 64n - 1n });
    cluster.pay(endless);
    const instruction = closeRecordInstruction(PROGRAM, recordAddress(PROGRAM, endless), PAYER);
    for (const time of [NOW, 2n ** 63n - 1n]) {
      cluster.setTime(time);
      expect(byStranger(instruction).error).toBe('RECORD_NOT_CLOSABLE');
    }
  });

  it('gives the rent to the payer alone', () => {
    cluster.setTime(CLOSABLE);
    const stolen = closeRecordInstruction(PROGRAM, RECORD, STRANGER);
    expect(byStranger(stolen).error).toBe('WRONG_ACCOUNTS');
    expect(byStranger(closeRecordInstruction(PROGRAM, RECORD, RECORD)).error).toBe('WRONG_ACCOUNTS');
    expect(cluster.isPaid(order)).toBe(true);
  });

  it('happens once, also within one transaction', () => {
    cluster.setTime(CLOSABLE);
    const before = cluster.lamports(PAYER);
    expect(cluster.send([close, close], keyOf('stranger')).error).toBeUndefined();
    expect(cluster.lamports(PAYER) - before).toBe(cluster.rent(RECORD_BYTES));
    expect(byStranger(close).error).toBe('WRONG_RECORD');
  });

  it('leaves a record that is true when a later instruction pays its rent again', () => {
    cluster.setTime(CLOSABLE);
    const revive = transferLamports(STRANGER, RECORD, cluster.rent(RECORD_BYTES));
    expect(cluster.send([close, revive], keyOf('stranger')).error).toBeUndefined();
    expect(decodeRecord(cluster.account(RECORD)!.data)).toMatchObject({ payer: PAYER, paidTime: NOW });
    const before = cluster.lamports(PAYER);
    expect(byStranger(close).error).toBeUndefined();
    expect(cluster.lamports(PAYER)).toBe(before + cluster.rent(RECORD_BYTES));
  });

  it('works for a payer who has spent everything', () => {
    cluster.setAccount(PAYER, { lamports: 0n });
    cluster.setTime(CLOSABLE);
    expect(byStranger(close).error).toBeUndefined();
    expect(cluster.lamports(PAYER)).toBe(cluster.rent(RECORD_BYTES));
  });

  it('closes many records in one transaction', () => {
    const orders = [1n, 2n, 3n, 4n].map((deadline) => nativeOrder({ deadline: NOW + deadline }));
    for (const it of orders) cluster.pay(it);
    cluster.setTime(CLOSABLE);
    const before = cluster.lamports(PAYER);
    const instructions = orders.map((it) =>
      closeRecordInstruction(PROGRAM, recordAddress(PROGRAM, it), PAYER),
    );
    expect(cluster.send(instructions, keyOf('stranger')).error).toBeUndefined();
    expect(cluster.lamports(PAYER)).toBe(before + 4n * cluster.rent(RECORD_BYTES));
  });

  it.each([0, RECORD_BYTES - 1, RECORD_BYTES, RECORD_BYTES + 1, 200])(
    'moves nothing out of %d zeros that a stranger gave to the program',
    (size) => {
      const forged = addressOf('forged record');
      cluster.setAccount(forged, { owner: PROGRAM, data: new Uint8Array(size), lamports: SOL });
      cluster.setTime(CLOSABLE);
      for (const payer of [STRANGER, PAYER, SYSTEM_PROGRAM, forged])
        expect(byStranger(closeRecordInstruction(PROGRAM, forged, payer)).error).toBeDefined();
      expect(cluster.lamports(forged)).toBe(SOL);
    },
  );

  it('moves nothing out of an account of another program that looks like a record', () => {
    const forged = addressOf('forged record');
    const data = Uint8Array.from([...addressToBytes(STRANGER), ...new Uint8Array(24)]);
    for (const owner of [SYSTEM_PROGRAM, STRANGER]) {
      cluster.setAccount(forged, { owner, data, lamports: SOL });
      cluster.setTime(CLOSABLE);
      expect(byStranger(closeRecordInstruction(PROGRAM, forged, STRANGER)).error).toBe('WRONG_RECORD');
    }
  });

  it('rejects more or fewer accounts, or more data', () => {
    cluster.setTime(CLOSABLE);
    const [record, payer] = close.accounts as [Instruction['accounts'][0], Instruction['accounts'][0]];
    for (const accounts of [[], [record], [record, payer, payer]])
      expect(byStranger({ ...close, accounts }).error).toBe('WRONG_ACCOUNTS');
    const longer = { ...close, data: Uint8Array.from([...close.data, 0]) };
    expect(byStranger(longer).error).toBe('MALFORMED_INSTRUCTION');
    expect(cluster.isPaid(order)).toBe(true);
  });
});

function transferLamports(from: string, to: string, lamports: bigint): Instruction {
  return {
    programId: SYSTEM_PROGRAM,
    accounts: [
      { address: from, isSigner: true, isWritable: true },
      { address: to, isSigner: false, isWritable: true },
    ],
    data: Uint8Array.from([2, 0, 0, 0, ...u64ToBytes(lamports)]),
  };
}
