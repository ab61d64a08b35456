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

/** What pays an order in a token; ignored for the native coin. */
export interface PaymentTokens {
  /** SPL Token by default, or Token-2022: the owner of the mint. */
  readonly tokenProgram?: string;
  /** A token account that the payer owns; the associated one by default. */
  readonly from?: string;
}

/** A payment as an instruction of a transaction shows it. */
export interface DecodedPayment {
  readonly payer: string;
  readonly order: SolanaPaymentOrder;
  readonly orderHash: Uint8Array;
}

const pay = u64ToBytes(1n);
const close = u64ToBytes(2n);

/** Pays the order from `payer`. The transaction must create missing token accounts before this instruction. */
export function payInstruction(
  programId: string,
  order: SolanaPaymentOrder,
  payer: string,
  { tokenProgram = splTokenProgram, from }: PaymentTokens = {},
): Instruction {
  const mint = order.token_in_address;
  const isNative = mint === nativeCoin;
  const accountOf = (owner: string) => tokenAccountAddress(owner, mint, tokenProgram);
  // Without a fee its receiver may be any address, which need not be one that takes money.
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

/** Gives the rent of a record back to its payer, from a day after the order's deadline on. Any account may send it. */
export function closeRecordInstruction(programId: string, record: string, payer: string): Instruction {
  return { programId, accounts: [writable(record), writable(payer)], data: close };
}

/** Creates the associated token account of a wallet at the payer's cost; does nothing where it exists. */
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
 * The payment that an instruction of the program made, at the top or called by another program. Call this function for
 * successful transactions only: a failed call fails its whole transaction.
 * @returns undefined for an instruction that pays nothing
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
