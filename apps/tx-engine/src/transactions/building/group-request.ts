import type { GasSettings } from '@tollbridge/contracts';
import type { DomainError } from '@tollbridge/rpc';
import type { EvmChain } from '@tollbridge/chains';
import type { EvmRpc, GasTerms } from '@tollbridge/evm';
import type { GroupItem, PlannedCall } from './plan-group';
import type { GasFees, SetTransaction } from '../transaction-set';

export interface GroupRequest {
  chain: Pick<EvmChain, 'chainId' | 'name'>;
  rpc: EvmRpc;
  user: string;
  items: readonly GroupItem[];
  gasSettings: GasSettings | undefined;
  gasPrice: GasTerms;
  /** The first nonce after those that sets of this signer have claimed. */
  nextClaimedNonce: number;
}

export interface GroupResult {
  /** In the order of the items. */
  items: (SetTransaction[] | DomainError)[];
  fees: GasFees | undefined;
  /** Gas of the approvals that the group saves compared with building each item alone. */
  savedGasUnits: bigint;
}

/** A planned call with its measured gas. */
export type MeasuredCall = PlannedCall & { gasUnits: bigint };

/** The reason why one item of a group cannot be built. */
export interface ItemFailure {
  item: number;
  error: DomainError;
}
