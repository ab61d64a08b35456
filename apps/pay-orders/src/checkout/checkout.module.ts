import { Module } from '@nestjs/common';
import { Balances, loadBalanceSources, type OpenedSource } from '@tollbridge/balances';
import { ServiceConfig } from '@tollbridge/bootstrap';
import { ChainAdapters } from '@tollbridge/chain-port';
import { findChain } from '@tollbridge/chains';
import { ChainsModule } from '../chains/chains.module';
import { EvmChains } from '../chains/evm/evm-chains';
import type { PayOrdersConfig } from '../config';
import { OrdersModule } from '../orders/orders.module';
import { PricesModule } from '../prices/prices.module';
import { QuotesModule } from '../quotes/quotes.module';
import { AdapterBalanceReader } from './adapter-balance.reader';
import { CheckoutHandlers } from './checkout.handlers';
import { PaymentReviewHandlers } from './payment-review.handlers';

/** Balances of a payer's wallets, and the payment options that they allow. */
@Module({
  imports: [ChainsModule, OrdersModule, PricesModule, QuotesModule],
  controllers: [CheckoutHandlers, PaymentReviewHandlers],
  providers: [
    { provide: Balances, inject: [EvmChains, ChainAdapters, ServiceConfig], useFactory: openBalances },
  ],
})
export class CheckoutModule {}

/** `BALANCES_FILE` has priority. Chains that it does not contain are read from the nodes of `CHAINS_FILE`. */
function openBalances(evm: EvmChains, { all }: ChainAdapters, config: PayOrdersConfig): Balances {
  const given = loadBalanceSources(config.BALANCES_FILE);
  const isGiven = (id: string) => given.some((source) => findChain(source.chain)?.id === id);
  // EVM nodes return the balances of all tokens in one call.
  const own = evm.all.map(({ chain: { id, rpcUrls } }) => ({ chain: id, urls: rpcUrls }));
  const others = all
    .filter(({ chain }) => evm.find(chain.id) === undefined)
    .map((adapter): OpenedSource => ({ chain: adapter.chain.id, reader: new AdapterBalanceReader(adapter) }));
  return new Balances([...given, ...[...own, ...others].filter(({ chain }) => !isGiven(chain))]);
}
