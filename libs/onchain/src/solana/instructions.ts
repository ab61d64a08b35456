import { concatBytes } from '@noble/hashes/utils';
import { addressToBytes, associatedTokenProgram, nativeCoin, splTokenProgram, systemProgram } from './keys';
import {
  decodeOrder,
  encodeOrder,
  hashEncodedOrder,
  recordAddress,
  u64ToBytes,
  type SolanaPaymentOrder,
} from './order';
import { tokenAccountAddress } from './program-address';

export interface AccountMeta {
  readonly address: string;
  readonly isSigner: boolean;
  readonly isWritable: boolean;
}

export interface Instruction {
  readonly programId: string;
  readonly accounts: readonly AccountMeta[];
  readonly data: Uint8Array;
}

/** The token accounts and program of a payment in a token. Ignored for the native coin. */
export interface PaymentTokens {
  /** Owner program of the mint: SPL Token by default, or Token-2022. */
  readonly tokenProgram?: string;
  /** A token account of the payer. The associated token account by default. */
  readonly from?: string;
}

/** A payment decoded from an instruction of a transaction. */
export interface DecodedPayment {
  readonly payer: string;
  readonly order: SolanaPaymentOrder;
  readonly orderHash: Uint8Array;
}

const pay = u64ToBytes(1n);
const close = u64ToBytes(2n);

/**
 * Creates the instruction that pays the order from `payer`. The transaction must create missing token accounts before
 * this instruction.
 */
export function payInstruction(
  programId: string,
  order: SolanaPaymentOrder,
  payer: string,
  { tokenProgram = splTokenProgram, from }: PaymentTokens = {},
): Instruction {
  const mint = order.token_in_address;
  const isNative = mint === nativeCoin;
  const accountOf = (owner: string) => tokenAccountAddress(owner, mint, tokenProgram);
  // Without a fee, the fee receiver may be any address, including one that cannot receive.
  const isFeeWritable = isNative && order.fee_amount > 0n;
  const accounts = [
    { address: payer, isSigner: true, isWritable: true },
    writable(recordAddress(programId, order)),
    isNative ? writable(order.merchant) : readonly(order.merchant),
    isFeeWritable ? writable(order.fee_receiver) : readonly(order.fee_receiver),
    readonly(systemProgram),
  ];
  if (!isNative)
    accounts.push(
      writable(from ?? accountOf(payer)),
      writable(accountOf(order.merchant)),
      writable(accountOf(order.fee_amount > 0n ? order.fee_receiver : order.merchant)),
      readonly(mint),
      readonly(tokenProgram),
    );
  return { programId, accounts, data: concatBytes(pay, encodeOrder(order)) };
}

/**
 * Creates the instruction that returns the rent of a record to its payer. It succeeds from a day after the order's
 * deadline on. Any account may send it.
 */
export function closeRecordInstruction(programId: string, record: string, payer: string): Instruction {
  return { programId, accounts: [writable(record), writable(payer)], data: close };
}

/**
 * Creates the instruction that creates a wallet's associated token account, unless it exists. The payer pays the rent.
 */
export function createTokenAccountInstruction(
  payer: string,
  owner: string,
  mint: string,
  tokenProgram: string = splTokenProgram,
): Instruction {
  const accounts = [
    { address: payer, isSigner: true, isWritable: true },
    writable(tokenAccountAddress(owner, mint, tokenProgram)),
    readonly(owner),
    readonly(mint),
    readonly(systemProgram),
    readonly(tokenProgram),
  ];
  return { programId: associatedTokenProgram, accounts, data: Uint8Array.of(1) };
}

/**
 * Decodes the payment of an instruction, whether it is at the top level or called by another program. Use it only for
 * successful transactions, because a failed call fails its whole transaction.
 * @returns undefined for an instruction without a payment
 */
export function decodePayment(accounts: readonly string[], data: Uint8Array): DecodedPayment | undefined {
  const [payer] = accounts;
  if (payer === undefined || data.length < 8 || !pay.every((byte, index) => data[index] === byte))
    return undefined;
  addressToBytes(payer);
  const bytes = data.subarray(8);
  return { payer, order: decodeOrder(bytes), orderHash: hashEncodedOrder(bytes) };
}

const writable = (address: string): AccountMeta => ({ address, isSigner: false, isWritable: true });
const readonly = (address: string): AccountMeta => ({ address, isSigner: false, isWritable: false });
