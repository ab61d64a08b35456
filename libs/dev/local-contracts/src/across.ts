import { multicall3Address } from '@tollbridge/onchain';
import { Interface, ZeroAddress, type Signer } from 'ethers';
import { artifact } from './artifacts';
import { Sender } from './sender';

export interface AcrossContracts {
  /** Proxy of the spoke pool, for deposits and fills. */
  spokePool: string;
  /** SpokePoolPeriphery: swaps before the deposit. */
  periphery: string;
  /** Executes the calls in a deposit's message, such as a swap on the destination chain. */
  multicallHandler: string;
}

export interface AcrossOptions {
  /** WETH of the chain. */
  wrappedCoin: string;
  /** Relays the refund roots, and can withdraw. Default: the signer. */
  owner?: string;
}

// The values of Across's own deployments.
const quoteTimeBufferSeconds = 3_600;
const fillDeadlineBufferSeconds = 21_600;

/**
 * One chain's part of Across; requires Multicall3 on the chain. Deposits of any pair of tokens and chains are possible:
 * relayers select the deposits that they fill. Permit2 is Across's own mock, so deposits by permit do not use the real
 * contract.
 */
export async function deployAcross(signer: Signer, options: AcrossOptions): Promise<AcrossContracts> {
  const sender = await Sender.of(signer);
  const { wrappedCoin, owner = sender.address } = options;
  const noGateway = ZeroAddress;
  const implementation = await sender.create('Ethereum_SpokePool', [
    wrappedCoin,
    quoteTimeBufferSeconds,
    fillDeadlineBufferSeconds,
    noGateway,
  ]);
  // Not 0: the official SDK handles a deposit with id 0 as missing.
  const firstDepositId = 1;
  const { abi } = artifact('Ethereum_SpokePool');
  const initialize = new Interface(abi).encodeFunctionData('initialize', [firstDepositId, owner]);
  const spokePool = await sender.create('ERC1967Proxy', [implementation, initialize]);
  if (owner !== sender.address) await sender.call(spokePool, abi, 'transferOwnership', [owner]);
  const permit2 = await sender.create('MockPermit2');
  const periphery = await sender.create('SpokePoolPeriphery', [permit2, multicall3Address]);
  const multicallHandler = await sender.create('MulticallHandler');
  await sender.mined();
  return { spokePool, periphery, multicallHandler };
}
