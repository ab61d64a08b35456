import {
  canonicalMoveType,
  chooseSuiCoins,
  encodeSuiTransaction,
  encodeSuiTransfer,
  SuiSigner,
  suiTransactionDigest,
  type SuiCoin,
} from '@tollbridge/onchain/sui';
import type { NetworkTransfer, NetworkTreasury, SignedTransfer } from '../networks/network-treasury';
import { TransferRejected } from '../oneclick/evm-node';
import { gasPrice } from './execute';
import { solverAccount } from './genesis';
import { coinBalance, coinObjectType, suiType } from './objects';
import type { SuiChain } from './sui-chain';
import { SuiRejection } from './sui-rejection';

const budget = 20_000_000n;
const maxCoins = 50;

/** Pays from the solver's account. The network executes each digest once, and spends each version of a coin once. */
export class SuiTreasury implements NetworkTreasury {
  private readonly signer = new SuiSigner(solverAccount.privateKey);

  constructor(private readonly chain: SuiChain) {}

  async sign({ id, recipient, token, amountAtomic }: NetworkTransfer): Promise<SignedTransfer> {
    // Creates the genesis, which contains the coins.
    await this.chain.head();
    const type = token === null ? suiType : canonicalMoveType(token);
    const [gas] = chooseSuiCoins(await this.coins(suiType), 1n);
    const coins = type === suiType ? [] : chooseSuiCoins(await this.coins(type), amountAtomic);
    if (!gas || (type !== suiType && coins.length === 0))
      throw new TransferRejected(`the treasury has too few coins of ${type} on Sui`);
    const kind = encodeSuiTransfer(recipient, amountAtomic, coins);
    // Equal transfers with the same coins would have the same digest, so the budget includes the id.
    const paid = { coins: [gas], price: gasPrice, budget: budget + BigInt(id) };
    const bytes = encodeSuiTransaction(kind, this.signer.address, paid);
    return { raw: Buffer.from(bytes).toString('base64'), txHash: suiTransactionDigest(bytes) };
  }

  async send({ raw }: SignedTransfer): Promise<string | undefined> {
    const bytes = Uint8Array.from(Buffer.from(raw, 'base64'));
    try {
      const { digest, outcome } = await this.chain.send(bytes, [this.signer.sign(bytes)]);
      if (outcome.failure !== null)
        throw new TransferRejected(`the transfer on Sui failed: ${outcome.failure}`);
      return digest;
    } catch (error) {
      // Another transaction has spent the coins.
      if (error instanceof SuiRejection) return undefined;
      throw error;
    }
  }

  private async coins(coinType: string): Promise<SuiCoin[]> {
    const page = { owner: this.signer.address, type: coinObjectType(coinType), limit: maxCoins };
    const found = await this.chain.repository.ownedObjects(page);
    return found.map((coin) => {
      const { id: objectId, version, digest } = coin;
      return { objectId, version, digest, balanceAtomic: coinBalance(coin) };
    });
  }
}
