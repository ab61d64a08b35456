import { Injectable } from '@nestjs/common';
import { jettonWalletOf, TonAccountReader, type JettonWallet } from '@tollbridge/ton';
import { Deployed } from '../deployed';

/** The chain, as toncenter shows it; undefined where none is configured. */
export class Chain {
  constructor(readonly reader: TonAccountReader | undefined) {}
}

/** Where what is deposited lies: the wallet of the asset that its master computes for the contract. */
@Injectable()
export class AssetWallet {
  /** Raw, as it was read last; undefined before. */
  lastAddress: string | undefined;

  constructor(private readonly deployed: Deployed) {}

  /** With its balance, as it is now. */
  async read(reader: TonAccountReader): Promise<JettonWallet> {
    const { asset, verifyingContract } = this.deployed.deployment;
    const wallet = await jettonWalletOf(reader, { master: asset.master, owner: verifyingContract });
    this.lastAddress = wallet.address;
    return wallet;
  }
}
