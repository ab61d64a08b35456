import { Module } from '@nestjs/common';
import { ContractWallets } from '@tollbridge/wallet-proof';
import { ChainNodes } from '../chains/chain-nodes';
import { ChainsModule } from '../chains/chains.module';
import { KeysModule } from '../keys/keys.module';
import { AuthHandlers } from './auth.handlers';
import { AuthRepository } from './auth.repository';
import { AuthSweep } from './auth.worker';
import { ProofCheck } from './proof-check';
import { SessionsHandlers } from './sessions.handlers';
import { SignIn } from './sign-in';

/** Sign-in by wallet, and the sessions that it opens. */
@Module({
  imports: [ChainsModule, KeysModule],
  controllers: [AuthHandlers, SessionsHandlers],
  providers: [
    AuthRepository,
    ProofCheck,
    SignIn,
    AuthSweep,
    {
      provide: ContractWallets,
      inject: [ChainNodes],
      useFactory: ({ withNodes }: ChainNodes) =>
        new ContractWallets(new Map(withNodes.map(({ chain, rpc }) => [chain.chainId, rpc]))),
    },
  ],
  exports: [ProofCheck],
})
export class AuthModule {}
