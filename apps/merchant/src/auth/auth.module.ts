import { Module } from '@nestjs/common';
import { ContractWallets } from '@tollbridge/wallet-proof';
import { ChainsModule } from '../chains/chains.module';
import { EvmChains } from '../chains/evm/evm-chains';
import { KeysModule } from '../keys/keys.module';
import { PeppersModule } from '../peppers/peppers.module';
import { AuthHandlers } from './auth.handlers';
import { AuthRepository } from './auth.repository';
import { AuthSweep } from './auth.worker';
import { ProofCheck } from './proof-check';
import { SessionsHandlers } from './sessions.handlers';
import { SignIn } from './sign-in';

/** Sign-in by wallet signature, and the resulting sessions. */
@Module({
  imports: [ChainsModule, KeysModule, PeppersModule],
  controllers: [AuthHandlers, SessionsHandlers],
  providers: [
    AuthRepository,
    ProofCheck,
    SignIn,
    AuthSweep,
    {
      provide: ContractWallets,
      inject: [EvmChains],
      useFactory: (chains: EvmChains) => new ContractWallets(chains.rpcs()),
    },
  ],
  exports: [ProofCheck],
})
export class AuthModule {}
