import type { DirectWalletCall, SandboxNetwork } from '@tollbridge/sdk';
import { CommandError } from '../exit-codes';

export type NetworkToken = SandboxNetwork['tokens'][number];

/** The demo payer on a network beside the EVM chains. */
export interface NetworkWallet {
  /** Signs and sends what the API has made for this wallet. Resolves to the transaction. @throws CommandError */
  pay(call: DirectWalletCall): Promise<string>;
  /** Sends a token, or the coin of the network. Resolves to the transaction. @throws CommandError */
  transfer(token: NetworkToken, to: string, amountAtomic: bigint): Promise<string>;
}

/** What a wallet is opened with. */
export interface NetworkAccount {
  rpcUrl: string;
  address: string;
  privateKey: string;
}

/** The part of a wallet call that a wallet signs. @throws CommandError */
export function callOf<F extends DirectWalletCall['family']>(
  call: DirectWalletCall,
  family: F,
): NonNullable<DirectWalletCall[F]> {
  const own = call[family];
  if (!own) throw new CommandError(`The API has made no payment for a wallet of ${family}.`);
  return own;
}
