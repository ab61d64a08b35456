import { Controller } from '@nestjs/common';
import { Balances, type Holding, type PaymentKind } from '@tollbridge/balances';
import { canonicalAddress, findToken, type Token } from '@tollbridge/chains';
import {
  paymentReviewApi,
  type PaymentReviewQuery,
  type PaymentReviewReply,
  type ReviewedAmount,
  type WalletHolding,
} from '@tollbridge/contracts';
import { formatUnits } from '@tollbridge/money';
import { DomainError, Handles, uuidOf, type CallContext } from '@tollbridge/rpc';
import { Deployments } from '../chains/deployments';
import { amountIn } from '../orders/order';
import { OrdersRepository, type StoredOrder } from '../orders/storage/orders.repository';

/** Returns the network fee of an order, and whether a wallet can pay it, to show before the wallet opens. */
@Controller()
@Handles(paymentReviewApi)
export class PaymentReviewHandlers {
  constructor(
    private readonly orders: OrdersRepository,
    private readonly deployments: Deployments,
    private readonly wallets: Balances,
  ) {}

  async reviewPayment(
    { id: text, payer }: PaymentReviewQuery,
    _context: CallContext,
  ): Promise<PaymentReviewReply> {
    const id = uuidOf(text);
    const order = id === undefined ? undefined : await this.orders.find(id);
    const chain = order && this.deployments.known(order.payChain);
    const token = chain && findToken(chain, order.payToken);
    if (!order || !token) throw new DomainError('NOT_FOUND', 'The order does not exist. Check its id.');
    const kind: PaymentKind = order.direct ? 'contractCall' : 'transfer';
    const coin = chain.tokens.find(({ address }) => address === null)!;
    const neededAtomic = dueOf(order);
    const address = payer === undefined ? undefined : canonicalAddress(chain, payer);
    const wallets = address?.ok && this.wallets.isServed(chain) ? [{ chain, address: address.address }] : [];
    const [feeAtomic, { found, skipped }] = await Promise.all([
      this.wallets.coinFeeAtomic(chain, kind).catch(() => null),
      this.wallets.read(wallets),
    ]);
    const needs = { token, neededAtomic, coin, feeAtomic };
    const holdings = found[0]?.holdings;
    return {
      fee: feeAtomic === null ? null : amountOf(feeAtomic, coin),
      needed: amountOf(neededAtomic, token),
      wallet: holdings ? shortageOf(needs, (it) => heldOf(holdings, it)) : null,
      // The fee of a transfer is a setting, or is unknown, so another read does not help.
      is_unread: skipped.length > 0 || (feeAtomic === null && kind === 'contractCall'),
    };
  }
}

interface Needs {
  token: Token;
  neededAtomic: bigint;
  coin: Token;
  /** Null when it is unknown. */
  feeAtomic: bigint | null;
}

/** The whole amount, or the missing amount of a deposit. */
function dueOf(order: StoredOrder): bigint {
  if (!order.deposit) return amountIn(order);
  const due = order.deposit.amount - (order.deposit.depositedAmount ?? 0n);
  return due > 0n ? due : order.deposit.amount;
}

function heldOf(holdings: readonly Holding[], token: Token): bigint {
  const holding = holdings.find((it) => it.token.symbol === token.symbol);
  return holding ? holding.amountAtomic - holding.lockedAtomic : 0n;
}

function shortageOf(
  { token, neededAtomic, coin, feeAtomic }: Needs,
  held: (token: Token) => bigint,
): WalletHolding {
  const isCoin = token.symbol === coin.symbol;
  const coinNeeded = (feeAtomic ?? 0n) + (isCoin ? neededAtomic : 0n);
  const hasToken = held(token) >= neededAtomic;
  const short = !hasToken ? 'token' : held(coin) < coinNeeded ? 'coin' : null;
  return { held: amountOf(held(token), token), is_enough: short === null, short };
}

const amountOf = (atomic: bigint, { decimals, symbol }: Token): ReviewedAmount => ({
  amount: formatUnits(atomic, decimals),
  symbol,
});
