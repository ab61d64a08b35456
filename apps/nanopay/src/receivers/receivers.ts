import { Injectable } from '@nestjs/common';
import { canonicalAddress, findChain, receiverAddress, type PaidChain } from '@tollbridge/chains';
import { readAccount } from '@tollbridge/nanopay-protocol';
import { AssetWallet } from '../chain/asset-wallet';
import { Deployed } from '../deployment/deployed';

/** Rejects receivers that cannot spend the money that they receive, such as token contracts. */
@Injectable()
export class Receivers {
  private readonly chain: PaidChain;
  private readonly isTestnet: boolean;

  constructor(
    deployed: Deployed,
    private readonly assetWallet: AssetWallet,
  ) {
    const { network, asset, verifyingContract } = deployed.deployment;
    this.isTestnet = network.globalId === -3;
    const ton = { ...findChain('ton')!, isTestnet: this.isTestnet };
    const contracts = [
      [asset.master, `the ${asset.symbol} token contract`],
      [verifyingContract, 'the contract of nano-payments'],
    ].flatMap(([account, name]) => {
      const read = canonicalAddress(ton, account!);
      return read.ok ? [{ address: read.address, name: name! }] : [];
    });
    this.chain = { ...ton, contracts };
  }

  /**
   * The reason that money paid to this account would be lost; undefined for valid receivers and for invalid addresses.
   */
  findProblem(account: string): string | undefined {
    const raw = readAccount(account, this.isTestnet);
    if (raw === undefined) return undefined;
    if (raw === this.assetWallet.lastAddress)
      return 'this is the token wallet of nano-payments, so the money would be lost: give the address of a wallet';
    const read = receiverAddress(this.chain, raw);
    return read.ok ? undefined : read.reason;
  }
}
