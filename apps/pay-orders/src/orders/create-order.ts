import type {
  Conversion,
  CreateOrderReply,
  CreateOrderRequest,
  CrossChainFee,
  DirectWalletCall,
  OrderTermsRequest,
} from '@tollbridge/contracts';
import type { DirectOrder, WalletCall } from '@tollbridge/chain-port';
import type { FieldError } from '@tollbridge/rpc';
import {
  canonicalAddress,
  isZeroAddress,
  receiverAddress,
  zeroAddressOf,
  type Chain,
} from '@tollbridge/chains';
import type { KeySpend } from '@tollbridge/key-budgets';
import { formatUnits, isAmountText, maxTokenAmount } from '@tollbridge/money';
import { v7 as uuid } from 'uuid';
import type { Deployments, DirectRoute, PayRoute } from '../chains/deployments';
import type { TokenPrices } from '../prices/token-prices';
import {
  amountIn,
  deadlineOf,
  expiryOf,
  type DirectTerms,
  type OrderDeposit,
  type OrderTerms,
} from './order';

type AddressField = 'merchant_address' | 'fee_receiver' | 'payer_address';
type Given = Partial<CreateOrderRequest>;

/** A request with its amount, which may come from a price. */
export type OrderRequest = OrderTermsRequest & Pick<CreateOrderRequest, 'payer_address'>;

/** Validates what the request's class cannot express: addresses by their chains, and dependent amounts. */
export function fieldErrorsOfOrder(given: Given, deployments: Deployments): FieldError[] {
  const { settle_chain, settle_token } = given;
  // An unknown pay token has no route, so the error is `ROUTE_UNAVAILABLE`, as for any pair without a provider.
  return [
    ...deployments.unknownNames({ settle_chain, settle_token }),
    ...addressErrors(given, deployments),
    ...amountErrors(given, deployments),
  ];
}

function addressErrors(given: Given, deployments: Deployments): FieldError[] {
  const { pay_blockchain: payName = '', settle_chain: settleName = '' } = given;
  const [payChain, settleChain] = [deployments.known(payName), deployments.known(settleName)];
  const chainOf = { merchant_address: settleChain, fee_receiver: settleChain, payer_address: payChain };
  const read = (field: AddressField) => {
    const [chain, text] = [chainOf[field], given[field]];
    if (!chain || text === undefined || (field === 'fee_receiver' && isWithoutFee(given, chain)))
      return undefined;
    return receiverAddress(chain, text);
  };
  const payer = read('payer_address');
  const isPayerRejected =
    payChain !== undefined && payChain === settleChain && !deployments.canPayerReceive(payChain);
  return (Object.keys(chainOf) as AddressField[]).flatMap((field) => {
    const result = read(field);
    if (!result) return [];
    if (!result.ok) return [{ field, message: result.reason }];
    if (field === 'payer_address' || !isPayerRejected || !payer?.ok || result.address !== payer.address)
      return [];
    const isUnpaid = field === 'fee_receiver' && given.fee_amount === '0';
    return isUnpaid ? [] : [{ field, message: 'must not be the payer' }];
  });
}

/** A fee of 0 needs no receiver, so the field may be empty or the zero address. */
function isWithoutFee({ fee_amount, fee_receiver = '' }: Given, settleChain: Chain): boolean {
  return fee_amount === '0' && (fee_receiver === '' || isZeroAddress(settleChain, fee_receiver));
}

export function amountErrors(
  { merchant_amount: merchant, fee_amount: fee, settle_chain, settle_token }: Given,
  deployments: Deployments,
): FieldError[] {
  if (!isAmountText(merchant) || !isAmountText(fee)) return [];
  const [merchantAmount, feeAmount] = [BigInt(merchant), BigInt(fee)];
  if (feeAmount > merchantAmount)
    return [{ field: 'fee_amount', message: 'must not be above merchant_amount' }];
  const total = merchantAmount + feeAmount;
  if (total > maxTokenAmount)
    return [{ field: 'merchant_amount', message: 'and fee_amount together are too large' }];
  const errors = deployments.amountErrors('merchant_amount', { settle_chain, settle_token }, String(total));
  if (feeAmount === 0n) return errors;
  return errors.map(({ field, message }) => ({ field, message: `and fee_amount: the sum ${message}` }));
}

export interface PlacementTerms {
  isPayerless?: boolean;
  conversion?: Conversion | null;
}

/** The terms of a new order, from a validated request. */
export function termsOf(
  request: OrderRequest,
  route: PayRoute,
  nowMs: number,
  lifetimeSeconds: number,
  { isPayerless = false, conversion = null }: PlacementTerms = {},
): OrderTerms {
  const isDirect = route.method === 'Direct';
  const [payChain, settleChain] = isDirect ? [route.chain, route.chain] : [route.payChain, route.settleChain];
  const [payToken, settleToken] = isDirect ? [route.token, route.token] : [route.payToken, route.settleToken];
  const terms = {
    id: uuid(),
    method: route.method,
    payChain: payChain.id,
    payToken: payToken.symbol,
    settleChain: settleChain.id,
    settleToken: settleToken.symbol,
    merchantAddress: canonical(settleChain, request.merchant_address),
    feeReceiver: feeReceiverOf(request, route, settleChain),
    payerAddress: canonical(payChain, request.payer_address),
    isPayerless,
    merchantAmount: BigInt(request.merchant_amount),
    conversion,
    feeAmount: BigInt(request.fee_amount),
    merchantId: request.merchant_id,
    createdAtMs: nowMs,
    expiresAtMs: expiryOf(nowMs, lifetimeSeconds),
  };
  return { ...terms, direct: isDirect ? directTerms(terms, route) : null };
}

type PricedTerms = Omit<OrderTerms, 'direct'>;

function directTerms(terms: PricedTerms, { adapter, token }: DirectRoute): DirectTerms {
  const { contractAddress, tokenAddress } = adapter.instructions(directOrderOf(terms, { token }));
  return { contractAddress, tokenInAddress: tokenAddress };
}

/** The order in the form that the adapter of its chain expects. */
export function directOrderOf(terms: PricedTerms, { token }: Pick<DirectRoute, 'token'>): DirectOrder {
  return {
    id: terms.id,
    token,
    merchantAddress: terms.merchantAddress,
    merchantAmountAtomic: terms.merchantAmount,
    feeReceiver: terms.feeReceiver,
    feeAmountAtomic: terms.feeAmount,
    expiresAtMs: terms.expiresAtMs,
  };
}

function feeReceiverOf(request: OrderRequest, route: PayRoute, settleChain: Chain): string {
  if (!isWithoutFee(request, settleChain)) return canonical(settleChain, request.fee_receiver);
  return route.method === 'Direct' ? route.adapter.noFeeReceiver : zeroAddressOf(settleChain);
}

/** The spend of an order for its API key: merchant amount and fee, in the settle token. */
export function spendOf(terms: OrderTerms, route: PayRoute, prices: Pick<TokenPrices, 'value'>): KeySpend {
  const [chain, token] =
    route.method === 'Direct' ? [route.chain, route.token] : [route.settleChain, route.settleToken];
  const amount = amountIn(terms);
  return {
    kind: 'order',
    reference: terms.id,
    valueUsd: prices.value(chain.id, token, amount),
    description: `Order of ${formatUnits(amount, token.decimals)} ${token.symbol} on ${chain.name}`,
  };
}

function canonical(chain: Chain, text: string): string {
  const result = canonicalAddress(chain, text);
  if (!result.ok) throw new Error(`An address on ${chain.id} reached the order without validation`);
  return result.address;
}

/** A wallet's call in the field names of the API. */
export function walletCallView(call: WalletCall | null): DirectWalletCall | null {
  if (call === null) return null;
  const none = { family: call.family, ton: null, solana: null, tron: null, sui: null };
  switch (call.family) {
    case 'ton':
      return { ...none, ton: { validUntil: call.validUntil, messages: [...call.messages] } };
    case 'solana': {
      const { message, transaction, lastValidBlockHeight } = call;
      return { ...none, solana: { message, transaction, last_valid_block_height: lastValidBlockHeight } };
    }
    case 'tron':
      return { ...none, tron: { approval: call.approval, transaction: call.transaction } };
    case 'sui':
      return {
        ...none,
        sui: { transaction_kind: call.transactionKind },
      };
  }
}

export function createdReply(
  terms: OrderTerms,
  deposit: OrderDeposit | null,
  { walletCall = null, fee = null }: { walletCall?: WalletCall | null; fee?: CrossChainFee | null } = {},
): CreateOrderReply {
  return {
    order_id: terms.id,
    method: terms.method,
    direct: terms.direct && {
      contract_address: terms.direct.contractAddress,
      chain: terms.payChain,
      payment_order: {
        order_id: terms.id,
        token_in: terms.payToken,
        token_out: terms.settleToken,
        amount_in: String(amountIn(terms)),
        token_in_address: terms.direct.tokenInAddress,
        merchant: terms.merchantAddress,
        merchant_amount: String(terms.merchantAmount),
        fee_receiver: terms.feeReceiver,
        fee_amount: String(terms.feeAmount),
        deadline: deadlineOf(terms),
      },
      wallet_call: walletCallView(walletCall),
    },
    cross_chain: deposit && { ...crossChainView(terms, deposit), fee },
    ...terms.conversion,
    expires_at: new Date(terms.expiresAtMs).toISOString(),
  };
}

/** The deposit instructions in the field names of the specification. */
export function crossChainView(terms: Pick<OrderTerms, 'payChain' | 'payToken'>, deposit: OrderDeposit) {
  return {
    deposit_address: deposit.address,
    deposit_memo: deposit.memo,
    deposit_blockchain: terms.payChain,
    deposit_token: terms.payToken,
    deposit_amount: String(deposit.amount),
    deposit_amount_formatted: formatUnits(deposit.amount, deposit.decimals),
    estimated_time: deposit.estimatedSeconds,
  };
}
