import {
  BcsWriter,
  canonicalMoveType,
  hashSuiOrder,
  suiRecordId,
  type SuiPayContract,
} from '@tollbridge/onchain/sui';
import { getBytes } from 'ethers';
import type { Owner } from './objects';
import type { PayValues } from './pay-arguments';

/** The dynamic field of the registry that marks an order as paid. */
export interface PaymentRecord {
  readonly id: string;
  readonly type: string;
  readonly contents: Uint8Array;
  readonly owner: Owner;
}

export function recordOf(
  contract: SuiPayContract,
  { payer, order }: Pick<PayValues, 'payer' | 'order'>,
): PaymentRecord {
  const { packageId, registryId } = contract;
  const orderHash = hashSuiOrder(order);
  const id = suiRecordId(contract, orderHash);
  const contents = new BcsWriter()
    .address(id)
    .byteVector(getBytes(orderHash))
    .address(payer)
    .u64(order.deadline);
  return {
    id,
    type: canonicalMoveType(
      `0x2::dynamic_field::Field<${packageId}::pay::OrderHash, ${packageId}::pay::Payment>`,
    ),
    contents: contents.bytes,
    owner: { kind: 'object', id: registryId },
  };
}
