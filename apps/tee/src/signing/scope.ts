import { accountBytes, type Deployment } from '@tollbridge/nanopay-protocol';

/** The network, contract and asset that every signature must contain. */
export class Scope {
  readonly networkId: number;
  readonly verifyingContract: string;
  readonly asset: string;
  /** The signed bytes: 4 bytes of the network, the contract, the asset. */
  readonly bytes: Buffer;

  constructor(readonly deployment: Deployment) {
    const { network, verifyingContract, asset } = deployment;
    this.networkId = network.globalId;
    this.verifyingContract = verifyingContract;
    this.asset = asset.master;
    const id = Buffer.alloc(4);
    id.writeInt32BE(network.globalId);
    this.bytes = Buffer.concat([id, accountBytes(verifyingContract), accountBytes(asset.master)]);
  }
}
