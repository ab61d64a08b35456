import type { CreateOrderReply, CreateOrderRequest } from '@tollbridge/contracts';
import type { FieldError } from '@tollbridge/rpc';
import { canonicalAddress, isZeroAddress, receiverAddress, type Chain } from '@tollbridge/chains';
import type { KeySpend } from '@tollbridge/key-budgets';
import { formatUnits, isAmountText, MAX_TOKEN_AMOUNT } from '@tollbridge/money';
import { ZeroAddress } from 'ethers';
import { v7 as uuid } from 'uuid';
import type { Deployments, PayRoute } from '../chains/deployments';
import type { TokenPrices } from '../prices/token-prices';
import { amountIn, deadlineOf, expiryOf, type OrderDeposit, type OrderTerms } from './order';

type AddressField = 'merchant_address' | 'fee_receiver' | 'payer_address';
type Given = Partial<CreateOrderRequest>;

/** What a class cannot say of a request: addresses of their chains, and amounts that go together. */
export function problemsOf(given: Given, deployments: Deployments): FieldError[] {
  return [
    ...deployments.unknownNames(given),
    ...addressProblems(given, deployments),
    ...amountProblems(given),
  ];
}

function addressProblems(given: Given, deployments: Deployments): FieldError[] {
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
  // The payment contract measures what its receivers gain, so it rejects a payer that is one of them.
  const isDirect = payChain !== undefined && payChain === settleChain;
  return (Object.keys(chainOf) as AddressField[]).flatMap((field) => {
    const result = read(field);
    if (!result) return [];
    if (!result.ok) return [{ field, message: result.reason }];
    if (field === 'payer_address' || !isDirect || !payer?.ok || result.address !== payer.address) return [];
    const isUnpaid = field === 'fee_receiver' && given.fee_amount === '0';
    return isUnpaid ? [] : [{ field, message: 'must not be the payer' }];
  });
}

/** A fee of 0 is paid to no address: the field may be empty, or hold the zero address. */
function isWithoutFee({ fee_amount, fee_receiver = '' }: Given, settleChain: Chain): boolean {
  return fee_amount === '0' && (fee_receiver === '' || isZeroAddress(settleChain, fee_receiver));
}

function amountProblems({ merchant_amount: merchant, fee_amount: fee }: Given): FieldError[] {
  if (!isAmountText(merchant) || !isAmountText(fee)) return [];
  const [merchantAmount, feeAmount] = [BigInt(merchant), BigInt(fee)];
  if (feeAmount > merchantAmount)
    return [{ field: 'fee_amount', message: 'must not be above merchant_amount' }];
  return merchantAmount + feeAmount > MAX_TOKEN_AMOUNT
    ? [{ field: 'merchant_amount', message: 'and fee_amount together are too large' }]
    : [];
}

/** Fixes the terms of an order from a request in which nothing is wrong. */
export function termsOf(
  request: CreateOrderRequest,
  route: PayRoute,
  nowMs: number,
  lifetimeSeconds: number,
  { isPayerless = false } = {},
): OrderTerms {
  const isDirect = route.method === 'Direct';
  const [payChain, settleChain] = isDirect ? [route.chain, route.chain] : [route.payChain, route.settleChain];
  const [payToken, settleToken] = isDirect ? [route.token, route.token] : [route.payToken, route.settleToken];
  return {
    id: uuid(),
    method: route.method,
    payChain: payChain.id,
    payToken: payToken.symbol,
    settleChain: settleChain.id,
    settleToken: settleToken.symbol,
    merchantAddress: canonical(settleChain, request.merchant_address),
    feeReceiver: isWithoutFee(request, settleChain)
      ? noReceiver(settleChain)
      : canonical(settleChain, request.fee_receiver),
    payerAddress: canonical(payChain, request.payer_address),
    isPayerless,
    merchantAmount: BigInt(request.merchant_amount),
    feeAmount: BigInt(request.fee_amount),
    merchantId: request.merchant_id,
    direct: isDirect
      ? { contractAddress: route.chain.payContract, tokenInAddress: route.token.address ?? ZeroAddress }
      : null,
    createdAtMs: nowMs,
    expiresAtMs: expiryOf(nowMs, lifetimeSeconds),
  };
}

/** What a key spends by an order: all that is paid to others, in what they are paid. */
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

/** What the payment contract takes for the receiver of no fee. */
const noReceiver = ({ family }: Chain): string => (family === 'evm' ? ZeroAddress : '');

function canonical(chain: Chain, text: string): string {
  const result = canonicalAddress(chain, text);
  if (!result.ok) throw new Error(`an address of ${chain.id} was not checked`);
  return result.address;
}

export function createdReply(terms: OrderTerms, deposit: OrderDeposit | null): CreateOrderReply {
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
    },
    cross_chain: deposit && crossChainView(terms, deposit),
    expires_at: new Date(terms.expiresAtMs).toISOString(),
  };
}

/** Where to send the funds, in the specification's spelling. */
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
