import { Module } from '@nestjs/common';
import { loadDeployments } from '@tollbridge/chains';
import { ConfigurationError } from '@tollbridge/config';
import { OutboxWorker, ServiceConfig } from '@tollbridge/service';
import { ChainsHandlers } from './chains/chains.handlers';
import { Deployments } from './chains/deployments';
import type { PayOrdersConfig } from './config';
import { OrdersHandlers } from './orders/orders.handlers';
import { OrdersRepository } from './orders/orders.repository';
import { OrderExpiry } from './orders/orders.worker';
import { PaymentWorkers } from './payments/payment-workers';
import { PaymentsRepository } from './payments/payments.repository';
import { QuotesHandlers } from './quotes/quotes.handlers';

const deployments = {
  provide: Deployments,
  inject: [ServiceConfig],
  useFactory: (config: PayOrdersConfig) => {
    const chains = loadDeployments(config.CHAINS_FILE);
    requireConnections(config.PAY_ORDERS_DATABASE_CONNECTIONS, chains.length);
    return new Deployments(chains);
  },
};

/** The leader's locks keep a connection each, of every chain and of the outbox; requests need some besides. */
function requireConnections(given: number, chains: number): void {
  const needed = chains + 1 + 4;
  if (given < needed) {
    const why = `must be at least ${needed} for ${chains} chains: one each and one for events stay in use`;
    throw new ConfigurationError([`PAY_ORDERS_DATABASE_CONNECTIONS ${why}`]);
  }
}

@Module({
  controllers: [ChainsHandlers, QuotesHandlers, OrdersHandlers],
  providers: [deployments, OutboxWorker, OrdersRepository, OrderExpiry, PaymentsRepository, PaymentWorkers],
})
export class PayOrdersModule {}
