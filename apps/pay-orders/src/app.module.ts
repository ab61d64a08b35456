import { Module } from '@nestjs/common';
import { loadDeployments } from '@tollbridge/chains';
import { OutboxWorker, ServiceConfig } from '@tollbridge/service';
import { ChainsHandlers } from './chains/chains.handlers';
import { Deployments } from './chains/deployments';
import { requireConnections, type PayOrdersConfig } from './config';
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
    requireConnections(config, chains.length);
    return new Deployments(chains);
  },
};

@Module({
  controllers: [ChainsHandlers, QuotesHandlers, OrdersHandlers],
  providers: [deployments, OutboxWorker, OrdersRepository, OrderExpiry, PaymentsRepository, PaymentWorkers],
})
export class PayOrdersModule {}
