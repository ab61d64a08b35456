import type { OrderChanged } from '@tollbridge/contracts';
import type { EventEnvelope, FieldError } from '@tollbridge/rpc';
import { canonicalAddress, canonicalTxHash, findChain, isTxHash, txHashShape } from '@tollbridge/chains';
import { validateChains } from '../chains/validate-chains';

/** Validates what the declaration of an order event cannot express: chains, addresses, hashes and dependent fields. */
export function checkOrder({ aggregateId, data: order }: EventEnvelope<OrderChanged>): FieldError[] {
  const errors = validateChains(order, ['pay_blockchain', 'settle_chain']);
  const report = (field: keyof OrderChanged, message: string) => void errors.push({ field, message });
  if (aggregateId !== order.order_id) report('order_id', 'must equal the aggregate of the event');
  if (BigInt(order.fee_amount) > BigInt(order.merchant_amount))
    report('fee_amount', 'must not be above merchant_amount');
  const settleChain = findChain(order.settle_chain);
  if (settleChain && !isCanonical(settleChain, order.merchant_address))
    report('merchant_address', 'must be an address of settle_chain in its canonical form');
  // Cross-chain hashes have the format of the provider, so only direct orders are checked. A direct order is paid on
  // the chain where it settles.
  if (settleChain && order.method === 'Direct')
    for (const field of ['pay_tx', 'settle_tx'] as const)
      if (order[field] !== null && !isTxHash(settleChain, canonicalTxHash(order[field])))
        report(field, `must be ${txHashShape(settleChain)}`);
  return errors;
}

function isCanonical(chain: Parameters<typeof canonicalAddress>[0], address: string): boolean {
  const read = canonicalAddress(chain, address);
  return read.ok && read.address === address;
}
