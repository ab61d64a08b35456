import type { PaymentOrder } from '@tollbridge/onchain';
import { BcsReader } from '@tollbridge/onchain/sui';
import { hexlify } from 'ethers';
import { SuiFailure } from './sui-rejection';

/** The arguments of a call of `pay`. */
export interface PayValues {
  readonly payer: string;
  readonly order: PaymentOrder;
  readonly coinValueAtomic: bigint;
}

interface Caller {
  payer: string;
  /** In canonical form. */
  coinType: string;
  coinValueAtomic: bigint;
}

/** Decodes the nine pure arguments between the coin and the clock. @throws SuiFailure */
export function payArguments(
  args: readonly Uint8Array[],
  { payer, coinType, coinValueAtomic }: Caller,
): PayValues {
  const decode = <T>(at: number, read: (reader: BcsReader) => T): T => {
    try {
      const reader = new BcsReader(args[at]!);
      const value = read(reader);
      reader.end();
      return value;
    } catch {
      throw new SuiFailure('CommandArgumentError', at);
    }
  };
  const u64 = (at: number) => decode(at, (reader) => reader.u64());
  const text = (at: number) => decode(at, (reader) => reader.text());
  const address = (at: number) => decode(at, (reader) => reader.address());
  const order: PaymentOrder = {
    order_id: decode(0, (reader) => hexlify(reader.byteVector())),
    token_in: text(1),
    token_out: text(2),
    amount_in: u64(3),
    token_in_address: coinType,
    merchant: address(4),
    merchant_amount: u64(5),
    fee_receiver: address(6),
    fee_amount: u64(7),
    deadline: u64(8),
  };
  return { payer, order, coinValueAtomic };
}
