import { Module, type FactoryProvider } from '@nestjs/common';
import type { Attester } from '@tollbridge/attestation';
import { deploymentOf, ServiceConfig } from '@tollbridge/bootstrap';
import type { TeeConfig } from '../config';
import { openAttester, ServiceAttester } from './attester';
import { PayoutWallet } from './payout-wallet';
import { ReceiptKey } from './receipt-key';
import { Scope } from './scope';

const attester: FactoryProvider<Promise<Attester>> = {
  provide: ServiceAttester,
  inject: [ServiceConfig],
  useFactory: (config: TeeConfig) => openAttester(config),
};

const receiptKey: FactoryProvider<Promise<ReceiptKey>> = {
  provide: ReceiptKey,
  inject: [ServiceConfig, ServiceAttester],
  useFactory: async (config: TeeConfig, source: Attester) =>
    new ReceiptKey(await source.keySeed!(), config.TEE_KEY_EPOCH),
};

const payoutWallet: FactoryProvider<Promise<PayoutWallet>> = {
  provide: PayoutWallet,
  inject: [ServiceConfig],
  useFactory: (config: TeeConfig) => PayoutWallet.of(config),
};

const scope: FactoryProvider<Scope> = {
  provide: Scope,
  inject: [ServiceConfig],
  useFactory: (config: TeeConfig) => new Scope(deploymentOf(config, '')),
};

/** The keys of the service, and the deployment that signatures are valid for. */
@Module({
  providers: [attester, receiptKey, payoutWallet, scope],
  exports: [ServiceAttester, ReceiptKey, PayoutWallet, Scope],
})
export class SigningModule {}
