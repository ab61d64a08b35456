import { Address, beginCell, Cell, type Transaction } from '@ton/core';
import type { AccountTransaction } from '../../account-reader';

export interface TestMessage {
  /** Raw address. */
  from: string;
  to: string;
  body: Cell;
  coins?: bigint;
  isExecuted?: boolean;
  isBounced?: boolean;
}

/** The recipient's transaction for an internal message, with only the fields that the adapter reads. */
export function transactionOf({
  from,
  to,
  body,
  coins = 1n,
  isExecuted = true,
  isBounced = false,
}: TestMessage): AccountTransaction {
  const info = {
    type: 'internal',
    src: Address.parseRaw(from),
    dest: Address.parseRaw(to),
    bounced: isBounced,
    value: { coins },
  };
  const description = {
    type: 'generic',
    aborted: !isExecuted,
    computePhase: { type: 'vm', success: isExecuted, exitCode: isExecuted ? 0 : 401 },
    actionPhase: { success: isExecuted, resultCode: 0 },
  };
  const parsed = { inMessage: { info, body }, description } as unknown as Transaction;
  return { account: to, lt: 7n, hash: '77'.repeat(32), at: new Date(0), parsed };
}

export interface TestReceipt {
  queryId: bigint;
  amountAtomic: bigint;
  from: string;
}

/** The body of the message between two jetton wallets. */
export const receiptBody = ({ queryId, amountAtomic, from }: TestReceipt): Cell =>
  beginCell()
    .storeUint(0x178d4519, 32)
    .storeUint(queryId, 64)
    .storeCoins(amountAtomic)
    .storeAddress(Address.parseRaw(from))
    .storeAddress(null)
    .storeCoins(0)
    .storeBit(false)
    .endCell();
