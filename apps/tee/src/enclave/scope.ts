import { accountBytes, type Deployment } from '@tollbridge/nanopay-protocol';

/** What signatures must be for, in the form in which it is compared: 4 bytes of the network, contract, asset. */
export class Scope {
  readonly networkId: number;
  readonly verifyingContract: string;
  readonly asset: string;
  /** As it stands in the signed bytes from the network on. */
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
