import { MULTICALL3_ADDRESS } from '@tollbridge/onchain';
import { Interface, ZeroAddress, type Signer } from 'ethers';
import { artifact } from './artifacts';
import { Sender } from './sender';

export interface AcrossContracts {
  /** The proxy of the spoke pool: where deposits and fills happen. */
  spokePool: string;
  /** SpokePoolPeriphery: swaps before it deposits. */
  periphery: string;
  /** Where the message of a deposit makes calls, such as a swap on the destination. */
  multicallHandler: string;
}

export interface AcrossOptions {
  /** WETH of the chain. */
  wrappedCoin: string;
  /** Relays the roots of refunds and may withdraw. By default the signer. */
  owner?: string;
}

// As the protocol's own deployments have them.
const quoteTimeBufferSeconds = 3_600;
const fillDeadlineBufferSeconds = 21_600;

/**
 * One chain's side of Across, Multicall3 being there already. Any pair of tokens and chains can be deposited for: what
 * is carried, relayers decide. Permit2 is Across' own stand-in: no deposit by permit goes through the genuine one.
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
  // Not 0, which the official SDK takes for no deposit at all.
  const firstDepositId = 1;
  const { abi } = artifact('Ethereum_SpokePool');
  const initialize = new Interface(abi).encodeFunctionData('initialize', [firstDepositId, owner]);
  const spokePool = await sender.create('ERC1967Proxy', [implementation, initialize]);
  if (owner !== sender.address) await sender.call(spokePool, abi, 'transferOwnership', [owner]);
  const permit2 = await sender.create('MockPermit2');
  const periphery = await sender.create('SpokePoolPeriphery', [permit2, MULTICALL3_ADDRESS]);
  const multicallHandler = await sender.create('MulticallHandler');
  await sender.mined();
  return { spokePool, periphery, multicallHandler };
}
