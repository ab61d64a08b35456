import type { DirectWalletCall, SandboxNetwork } from '@tollbridge/sdk';
import { CommandError } from '../exit-codes';

export type NetworkToken = SandboxNetwork['tokens'][number];

/** A wallet of the demo payer on a network other than the EVM chains. */
export interface NetworkWallet {
  /** Signs and sends a wallet call from the API. Resolves to the transaction hash. @throws CommandError */
  pay(call: DirectWalletCall): Promise<string>;
  /** Sends a token or the coin of the network. Resolves to the transaction hash. @throws CommandError */
  transfer(token: NetworkToken, to: string, amountAtomic: bigint): Promise<string>;
}

/** Account and node of a wallet. */
export interface NetworkAccount {
  rpcUrl: string;
  address: string;
  privateKey: string;
}

/** Returns the part of a wallet call that the wallet signs. @throws CommandError */
export function callOf<F extends DirectWalletCall['family']>(
  call: DirectWalletCall,
  family: F,
): NonNullable<DirectWalletCall[F]> {
  const own = call[family];
  if (!own) throw new CommandError(`The API has made no payment for a wallet of ${family}.`);
  return own;
}
