import { Injectable } from '@nestjs/common';
import { jettonWalletOf, TonAccountReader, type JettonWallet } from '@tollbridge/ton';
import { Deployed } from '../deployment/deployed';

/** The reader of the chain; undefined without TONCENTER_URL. */
export class Chain {
  constructor(readonly reader: TonAccountReader | undefined) {}
}

/** The jetton wallet with all deposits: the wallet of the contract for the asset. */
@Injectable()
export class AssetWallet {
  /** The raw address of the last read; undefined before the first one. */
  lastAddress: string | undefined;

  constructor(private readonly deployed: Deployed) {}

  /** Reads the address and the current balance. */
  async read(reader: TonAccountReader): Promise<JettonWallet> {
    const { asset, verifyingContract } = this.deployed.deployment;
    const wallet = await jettonWalletOf(reader, { master: asset.master, owner: verifyingContract });
    this.lastAddress = wallet.address;
    return wallet;
  }
}
