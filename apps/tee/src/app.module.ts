import { Module, type FactoryProvider } from '@nestjs/common';
import type { Attester } from '@tollbridge/attestation';
import type { Logger } from '@tollbridge/observability';
import { deploymentOf, OutboxWorker, ServiceConfig, ServiceLogger } from '@tollbridge/bootstrap';
import { AccountsHandlers } from './accounts/accounts.handlers';
import { AccountsRepository } from './accounts/accounts.repository';
import { OwnerOrders } from './accounts/owner-orders';
import { OwnerProofs } from './accounts/owner-proof';
import { threadsOf, type TeeConfig } from './config';
import { Attestation, attesterOf, Attesting } from './enclave/attestation';
import { EnclaveKey } from './enclave/enclave-key';
import { EnclaveWallet } from './enclave/enclave-wallet';
import { Scope } from './enclave/scope';
import { Deposits } from './money/deposits';
import { LeaseRepository } from './lease/lease.repository';
import { LedgerLease } from './lease/ledger-lease';
import { MoneyHandlers } from './money/money.handlers';
import { MoneyRepository } from './money/money.repository';
import { Payouts } from './money/payouts';
import { Withdrawals } from './money/withdrawals';
import { FramesListener } from './payments/frames.listener';
import { FramesServer } from './payments/frames.server';
import { LedgerAudit } from './payments/ledger-audit';
import { LedgerRepository } from './payments/ledger.repository';
import { LedgerWriter } from './payments/ledger-writer';
import { PaymentEvents } from './payments/payment-events';
import { PaymentFigures } from './payments/payment-figures';
import { Payments } from './payments/payments';
import { PaymentProofs } from './payments/payment-proofs';
import { Verifier } from './verification/verifier';
import { workerFile } from './verification/worker-file';

const attester: FactoryProvider<Promise<Attester>> = {
  provide: Attesting,
  inject: [ServiceConfig],
  useFactory: (config: TeeConfig) => attesterOf(config),
};

const enclaveKey: FactoryProvider<Promise<EnclaveKey>> = {
  provide: EnclaveKey,
  inject: [ServiceConfig, Attesting],
  useFactory: async (config: TeeConfig, source: Attester) =>
    new EnclaveKey(await source.keySeed!(), config.TEE_KEY_EPOCH),
};

const enclaveWallet: FactoryProvider<Promise<EnclaveWallet>> = {
  provide: EnclaveWallet,
  inject: [ServiceConfig],
  useFactory: (config: TeeConfig) => EnclaveWallet.of(config),
};

const scope: FactoryProvider<Scope> = {
  provide: Scope,
  inject: [ServiceConfig],
  useFactory: (config: TeeConfig) => new Scope(deploymentOf(config, '')),
};

const verifier: FactoryProvider<Verifier> = {
  provide: Verifier,
  inject: [ServiceConfig, ServiceLogger],
  useFactory: (config: TeeConfig, logger: Logger) =>
    new Verifier({
      workerFile,
      threads: threadsOf(config),
      onThreadLost: (error) => logger.error({ err: error }, 'a thread of the verifier was lost'),
    }),
};

@Module({
  controllers: [AccountsHandlers, MoneyHandlers],
  providers: [
    attester,
    enclaveKey,
    scope,
    verifier,
    Attestation,
    OutboxWorker,
    AccountsRepository,
    OwnerProofs,
    OwnerOrders,
    enclaveWallet,
    MoneyRepository,
    Deposits,
    Withdrawals,
    Payouts,
    LeaseRepository,
    LedgerLease,
    LedgerRepository,
    LedgerWriter,
    LedgerAudit,
    PaymentFigures,
    PaymentProofs,
    Payments,
    PaymentEvents,
    FramesServer,
    FramesListener,
  ],
})
export class TeeModule {}
