import { Module, type FactoryProvider } from '@nestjs/common';
import type { Logger } from '@tollbridge/observability';
import { deploymentOf, OutboxWorker, ServiceConfig, ServiceLogger } from '@tollbridge/service';
import { threadsOf, type TeeConfig } from './config';
import { EnclaveKey } from './enclave/enclave-key';
import { loadOrCreateSeed } from './enclave/seed-file';
import { Scope } from './enclave/scope';
import { FramesListener } from './payments/frames.listener';
import { LedgerRepository } from './payments/ledger.repository';
import { LedgerWriter } from './payments/ledger-writer';
import { PaymentFigures } from './payments/payment-figures';
import { Payments } from './payments/payments';
import { Verifier } from './verification/verifier';
import { workerFile } from './verification/worker-file';

const enclaveKey: FactoryProvider<Promise<EnclaveKey>> = {
  provide: EnclaveKey,
  inject: [ServiceConfig],
  useFactory: async (config: TeeConfig) =>
    new EnclaveKey(await loadOrCreateSeed(config.TEE_KEY_FILE), config.TEE_KEY_EPOCH),
};

const scope: FactoryProvider<Scope> = {
  provide: Scope,
  inject: [ServiceConfig],
  useFactory: (config: TeeConfig) => new Scope(deploymentOf(config, '')),
};

const verifier: FactoryProvider<Verifier> = {
  provide: Verifier,
  inject: [ServiceConfig, EnclaveKey, ServiceLogger],
  useFactory: (config: TeeConfig, key: EnclaveKey, logger: Logger) =>
    new Verifier({
      ...{ workerFile, threads: threadsOf(config), seed: key.seed, maxQueued: config.TEE_VERIFY_QUEUE },
      onThreadLost: (error) => logger.error({ err: error }, 'a thread of the verifier was lost'),
    }),
};

@Module({
  providers: [
    ...[enclaveKey, scope, verifier, OutboxWorker],
    ...[LedgerRepository, LedgerWriter, PaymentFigures, Payments, FramesListener],
  ],
})
export class TeeModule {}
