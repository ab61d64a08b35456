import { Module } from '@nestjs/common';
import { Balances, loadBalanceSources } from '@tollbridge/balances';
import { ServiceConfig } from '@tollbridge/bootstrap';
import { ChainsModule } from '../chains/chains.module';
import { EvmChains } from '../chains/evm/evm-chains';
import type { PayOrdersConfig } from '../config';
import { PricesModule } from '../prices/prices.module';
import { QuotesModule } from '../quotes/quotes.module';
import { CheckoutHandlers } from './checkout.handlers';

/** Balances of a payer's wallets, and the ways to pay that they allow. */
@Module({
  imports: [ChainsModule, PricesModule, QuotesModule],
  controllers: [CheckoutHandlers],
  providers: [{ provide: Balances, inject: [EvmChains, ServiceConfig], useFactory: openBalances }],
})
export class CheckoutModule {}

/** `BALANCES_FILE` comes first; chains that it does not name are read from the nodes of `CHAINS_FILE`. */
function openBalances(evm: EvmChains, config: PayOrdersConfig): Balances {
  const given = loadBalanceSources(config.BALANCES_FILE);
  const own = evm.all.filter(({ chain }) => !given.some((source) => source.chain === chain.id));
  return new Balances([...given, ...own.map(({ chain: { id, rpcUrls } }) => ({ chain: id, urls: rpcUrls }))]);
}
