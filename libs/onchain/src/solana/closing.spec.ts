import { closeRecordInstruction, payInstruction, type Instruction } from './instructions';
import { addressToBytes, systemProgram } from './keys';
import { recordAddress, u64ToBytes } from './order';
import { closableAfterSeconds, decodeRecord, recordBytes } from './record';
import { addressOf, keyOf, startSeconds, programAddress, sol } from './testing/local-cluster';
import { nativeOrder, payerAddress, PaymentCluster, tokenOrder, transactionFee } from './testing/payments';

const order = tokenOrder();
const orderRecord = recordAddress(programAddress, order);
const closable = order.deadline + closableAfterSeconds + 1n;
const stranger = addressOf('stranger');
const close = closeRecordInstruction(programAddress, orderRecord, payerAddress);

let cluster: PaymentCluster;
beforeEach(() => {
  cluster = PaymentCluster.create();
  cluster.setAccount(stranger, { lamports: sol });
  expect(cluster.pay(order).error).toBeUndefined();
});
const byStranger = (instruction: Instruction) => cluster.send([instruction], keyOf('stranger'));

describe('Closing the record of a payment', () => {
  it('returns its rent to the payer', () => {
    cluster.setTime(closable);
    const before = cluster.lamports(payerAddress);
    expect(byStranger(close).error).toBeUndefined();
    expect(cluster.lamports(payerAddress)).toBe(before + cluster.rent(recordBytes));
    expect(cluster.lamports(stranger)).toBe(sol - transactionFee);
    expect(cluster.account(orderRecord)).toBeUndefined();
  });

  it('returns lamports of the record, including those of third parties', () => {
    const { data, owner, lamports } = cluster.account(orderRecord)!;
    cluster.setAccount(orderRecord, { data, owner, lamports: lamports + 77n });
    cluster.setTime(closable);
    const before = cluster.lamports(payerAddress);
    expect(byStranger(close).error).toBeUndefined();
    expect(cluster.lamports(payerAddress)).toBe(before + lamports + 77n);
  });

  it.each([startSeconds, order.deadline, order.deadline + 1n, closable - 1n])(
    'rejects closing at %s',
    (time) => {
      cluster.setTime(time);
      expect(byStranger(close).error).toBe('RECORD_NOT_CLOSABLE');
      expect(cluster.isPaid(order)).toBe(true);
    },
  );

  it('never makes an order payable again', () => {
    cluster.setTime(closable);
    expect(byStranger(close).error).toBeUndefined();
    for (const time of [closable, closable + 1n, 2n ** 62n]) {
      cluster.setTime(time);
      expect(cluster.pay(order).error).toBe('ORDER_EXPIRED');
    }
    cluster.setTime(closable);
    const { error } = cluster.send(
      [close, payInstruction(programAddress, order, payerAddress)],
      keyOf('payer'),
    );
    expect(error).toBe('WRONG_RECORD');
  });

  it('never closes the record of an order with the latest deadline', () => {
    const endless = tokenOrder({ deadline: 2n ** 64n - 1n });
    cluster.pay(endless);
    const instruction = closeRecordInstruction(
      programAddress,
      recordAddress(programAddress, endless),
      payerAddress,
    );
    for (const time of [startSeconds, 2n ** 63n - 1n]) {
      cluster.setTime(time);
      expect(byStranger(instruction).error).toBe('RECORD_NOT_CLOSABLE');
    }
  });

  it('returns the rent only to the payer', () => {
    cluster.setTime(closable);
    const stolen = closeRecordInstruction(programAddress, orderRecord, stranger);
    expect(byStranger(stolen).error).toBe('WRONG_ACCOUNTS');
    expect(byStranger(closeRecordInstruction(programAddress, orderRecord, orderRecord)).error).toBe(
      'WRONG_ACCOUNTS',
    );
    expect(cluster.isPaid(order)).toBe(true);
  });

  it('happens only once, even within one transaction', () => {
    cluster.setTime(closable);
    const before = cluster.lamports(payerAddress);
    expect(cluster.send([close, close], keyOf('stranger')).error).toBeUndefined();
    expect(cluster.lamports(payerAddress) - before).toBe(cluster.rent(recordBytes));
    expect(byStranger(close).error).toBe('WRONG_RECORD');
  });

  it('leaves a valid record when a later instruction pays its rent again', () => {
    cluster.setTime(closable);
    const revive = transferLamports(stranger, orderRecord, cluster.rent(recordBytes));
    expect(cluster.send([close, revive], keyOf('stranger')).error).toBeUndefined();
    expect(decodeRecord(cluster.account(orderRecord)!.data)).toMatchObject({
      payer: payerAddress,
      paidTime: startSeconds,
    });
    const before = cluster.lamports(payerAddress);
    expect(byStranger(close).error).toBeUndefined();
    expect(cluster.lamports(payerAddress)).toBe(before + cluster.rent(recordBytes));
  });

  it('works for a payer with an empty account', () => {
    cluster.setAccount(payerAddress, { lamports: 0n });
    cluster.setTime(closable);
    expect(byStranger(close).error).toBeUndefined();
    expect(cluster.lamports(payerAddress)).toBe(cluster.rent(recordBytes));
  });

  it('closes many records in one transaction', () => {
    const orders = [1n, 2n, 3n, 4n].map((deadline) => nativeOrder({ deadline: startSeconds + deadline }));
    for (const it of orders) cluster.pay(it);
    cluster.setTime(closable);
    const before = cluster.lamports(payerAddress);
    const instructions = orders.map((it) =>
      closeRecordInstruction(programAddress, recordAddress(programAddress, it), payerAddress),
    );
    expect(cluster.send(instructions, keyOf('stranger')).error).toBeUndefined();
    expect(cluster.lamports(payerAddress)).toBe(before + 4n * cluster.rent(recordBytes));
  });

  it.each([0, recordBytes - 1, recordBytes, recordBytes + 1, 200])(
    'moves nothing out of an account of %d zero bytes that a third party assigned to the program',
    (size) => {
      const forged = addressOf('forged record');
      cluster.setAccount(forged, { owner: programAddress, data: new Uint8Array(size), lamports: sol });
      cluster.setTime(closable);
      for (const payer of [stranger, payerAddress, systemProgram, forged])
        expect(byStranger(closeRecordInstruction(programAddress, forged, payer)).error).toBeDefined();
      expect(cluster.lamports(forged)).toBe(sol);
    },
  );

  it('moves nothing out of an account of another program with the layout of a record', () => {
    const forged = addressOf('forged record');
    const data = Uint8Array.from([...addressToBytes(stranger), ...new Uint8Array(24)]);
    for (const owner of [systemProgram, stranger]) {
      cluster.setAccount(forged, { owner, data, lamports: sol });
      cluster.setTime(closable);
      expect(byStranger(closeRecordInstruction(programAddress, forged, stranger)).error).toBe('WRONG_RECORD');
    }
  });

  it('rejects more or fewer accounts, or more data', () => {
    cluster.setTime(closable);
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
    programId: systemProgram,
    accounts: [
      { address: from, isSigner: true, isWritable: true },
      { address: to, isSigner: false, isWritable: true },
    ],
    data: Uint8Array.from([2, 0, 0, 0, ...u64ToBytes(lamports)]),
  };
}
