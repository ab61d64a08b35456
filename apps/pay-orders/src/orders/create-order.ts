import type { CreateOrderReply, CreateOrderRequest } from '@tollbridge/api';
import { DomainError, type FieldError } from '@tollbridge/bus';
import { canonicalAddress } from '@tollbridge/chains';
import { ZeroAddress } from 'ethers';
import { v7 as uuid } from 'uuid';
import type { DirectRoute } from '../chains/deployments';
import { amountIn, deadlineOf, expiryOf, type OrderTerms } from './order';

const maxAmount = 2n ** 256n - 1n;

/** Checks what a class cannot say, naming every bad field at once, and fixes the terms of the order. */
export function termsOf(
  request: CreateOrderRequest,
  route: DirectRoute,
  nowMs: number,
  lifetimeSeconds: number,
): OrderTerms {
  const errors: FieldError[] = [];
  const address = (field: 'merchant_address' | 'fee_receiver' | 'payer_address'): string => {
    const checked = canonicalAddress(route.chain, request[field]);
    if (checked.ok) return checked.address;
    errors.push({ field, message: checked.reason });
    return '';
  };
  const parties = {
    merchantAddress: address('merchant_address'),
    feeReceiver: address('fee_receiver'),
    payerAddress: address('payer_address'),
  };
  for (const [field, receiver] of [
    ['merchant_address', parties.merchantAddress],
    ['fee_receiver', parties.feeReceiver],
  ] as const) {
    // The payment contract measures what its receivers gain, so it refuses these.
    if (receiver && receiver === parties.payerAddress)
      errors.push({ field, message: 'must not be the payer' });
    if (receiver === route.chain.payContract)
      errors.push({ field, message: 'must not be the payment contract' });
  }
  const merchantAmount = BigInt(request.merchant_amount);
  const feeAmount = BigInt(request.fee_amount);
  if (feeAmount > merchantAmount)
    errors.push({ field: 'fee_amount', message: 'must not be above merchant_amount' });
  if (merchantAmount + feeAmount > maxAmount)
    errors.push({ field: 'merchant_amount', message: 'is too large together with fee_amount' });
  const terms: OrderTerms = {
    id: uuid(),
    method: 'Direct',
    payChain: route.chain.id,
    payToken: route.token.symbol,
    settleChain: route.chain.id,
    settleToken: route.token.symbol,
    ...parties,
    merchantAmount,
    feeAmount,
    merchantId: request.merchant_id,
    contractAddress: route.chain.payContract,
    tokenInAddress: route.token.address ?? ZeroAddress,
    createdAtMs: nowMs,
    expiresAtMs: expiryOf(nowMs, lifetimeSeconds),
  };
  if (errors.length > 0) throw DomainError.invalid(errors);
  return terms;
}

export function createdReply(terms: OrderTerms): CreateOrderReply {
  return {
    order_id: terms.id,
    method: terms.method,
    direct: {
      contract_address: terms.contractAddress,
      chain: terms.payChain,
      payment_order: {
        order_id: terms.id,
        token_in: terms.payToken,
        token_out: terms.settleToken,
        amount_in: String(amountIn(terms)),
        token_in_address: terms.tokenInAddress,
        merchant: terms.merchantAddress,
        merchant_amount: String(terms.merchantAmount),
        fee_receiver: terms.feeReceiver,
        fee_amount: String(terms.feeAmount),
        deadline: deadlineOf(terms),
      },
    },
    cross_chain: null,
    expires_at: new Date(terms.expiresAtMs).toISOString(),
  };
}
