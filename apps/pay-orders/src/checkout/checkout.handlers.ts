import { Controller, Inject } from '@nestjs/common';
import {
  checkoutApi,
  type BalancesReply,
  type BalancesRequest,
  type CheckoutOptionsReply,
  type CheckoutOptionsRequest,
  type SkippedChain,
  type TokenBalance,
} from '@tollbridge/contracts';
import { Balances, type FoundBalances, type Holding } from '@tollbridge/balances';
import { type FieldError, Handles, Validates } from '@tollbridge/rpc';
import { findToken, type Chain } from '@tollbridge/chains';
import { decimalNumber, formatUnits } from '@tollbridge/money';
import type { Logger } from '@tollbridge/observability';
import { ServiceLogger } from '@tollbridge/bootstrap';
import { Deployments } from '../chains/deployments';
import { TokenPrices } from '../prices/token-prices';
import { Quotes } from '../quotes/quotes';
import { optionOf, sortOptions } from './checkout-option';
import { walletsOf } from './wallets';

@Controller()
@Handles(checkoutApi)
export class CheckoutHandlers {
  constructor(
    private readonly deployments: Deployments,
    private readonly wallets: Balances,
    private readonly quotes: Quotes,
    private readonly prices: TokenPrices,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {}

  async balances({ wallets }: BalancesRequest): Promise<BalancesReply> {
    const { found, skipped } = await this.read(wallets);
    return {
      skipped,
      balances: found.map(({ chain, address, holdings }) => ({
        blockchain: chain.id,
        address,
        tokens: holdings.map((holding) => this.tokenBalance(chain, holding)),
      })),
    };
  }

  async checkoutOptions(request: CheckoutOptionsRequest): Promise<CheckoutOptionsReply> {
    const { settle_chain, settle_token, settle_amount } = request;
    const settleChain = this.deployments.known(settle_chain);
    const settleToken = settleChain && findToken(settleChain, settle_token);
    if (!settleToken) throw new Error('The settle token reached checkout without validation');
    const amount = BigInt(settle_amount);
    const { found, skipped } = await this.read(request.wallets);
    const options = found.flatMap(({ chain, holdings }) =>
      holdings.map(async (holding) => {
        const pair = { pay_blockchain: chain.id, pay_token: holding.token.address ?? holding.token.symbol };
        const outcome = await this.quotes.quote({ ...pair, settle_chain, settle_token }, amount);
        const isDirect = settleChain === chain && settleToken === holding.token;
        const kind = isDirect ? 'contractCall' : 'transfer';
        const reserve = await this.wallets.reserveOf(chain, holding, kind).catch(() => undefined);
        const balanceUsd = this.prices.value(chain.id, holding.token, holding.amountAtomic);
        return optionOf({ chain, holding, outcome, reserve, balanceUsd, isDirect });
      }),
    );
    return {
      settle_chain: settleChain.id,
      settle_token: settleToken.symbol,
      settle_amount,
      read_chains: found.map(({ chain }) => chain.id),
      options: sortOptions(await Promise.all(options)),
      skipped,
    };
  }

  @Validates(checkoutApi.operations.checkoutOptions)
  validateCheckoutOptions(given: Partial<CheckoutOptionsRequest>): FieldError[] {
    const { settle_chain, settle_token, settle_amount } = given;
    return [
      ...this.deployments.unknownNames({ settle_chain, settle_token }),
      ...this.deployments.amountErrors('settle_amount', { settle_chain, settle_token }, settle_amount),
    ];
  }

  /** Balances above zero. Wallets on chains that fail or are slow are omitted. */
  private async read(
    given: Record<string, string>,
  ): Promise<{ found: FoundBalances[]; skipped: SkippedChain[] }> {
    const { wallets, skipped } = walletsOf(given, this.deployments);
    const { found, skipped: failed } = await this.wallets.read(wallets);
    for (const { chain, reason } of failed)
      this.logger.info({ chain: chain.id, reason }, 'balances of a chain skipped');
    const unread = failed.map(({ chain }): SkippedChain => {
      if (!this.wallets.isServed(chain))
        return { blockchain: chain.id, reason: 'this server reads no balances of it' };
      return {
        blockchain: chain.id,
        reason: 'no balance could be read within 5 seconds; retry',
        can_retry: true,
      };
    });
    return {
      found: found.map((wallet) => ({
        ...wallet,
        holdings: wallet.holdings.filter(({ amountAtomic }) => amountAtomic > 0n),
      })),
      skipped: [...skipped, ...unread],
    };
  }

  private tokenBalance(chain: Chain, { token, amountAtomic }: Holding): TokenBalance {
    const price = this.prices.usd(chain.id, token.address);
    return {
      symbol: token.symbol,
      decimals: token.decimals,
      balance: String(amountAtomic),
      balance_formatted: formatUnits(amountAtomic, token.decimals),
      balance_usd: this.prices.value(chain.id, token, amountAtomic),
      price_usd: price === undefined ? null : decimalNumber(price),
    };
  }
}
