import type { SuiGraphQLClient } from '@mysten/sui/graphql';
import type { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { Transaction, type TransactionObjectArgument } from '@mysten/sui/transactions';
import type { PaymentOrder } from '@tollbridge/onchain';
import type { SuiPayContract } from '@tollbridge/onchain/sui';
import { getBytes } from 'ethers';
import { suiType } from '../objects';

const budget = 20_000_000n;

/** A wallet of the official library. The official client selects its coins and gas. */
export class SuiWallet {
  readonly address: string;

  constructor(
    readonly client: SuiGraphQLClient,
    readonly keypair: Ed25519Keypair,
  ) {
    this.address = keypair.toSuiAddress();
  }

  /** Signs and sends a transaction. Resolves with its digest. @throws when the network rejects it */
  async send(transaction: Transaction): Promise<string> {
    await this.addGas(transaction);
    const { digest } = await this.keypair.signAndExecuteTransaction({ transaction, client: this.client });
    return digest;
  }

  async addGas(transaction: Transaction): Promise<void> {
    const { core } = this.client;
    const [{ objects }, { referenceGasPrice }] = [
      await core.getCoins({ address: this.address, coinType: suiType }),
      await core.getReferenceGasPrice(),
    ];
    transaction.setSender(this.address);
    transaction.setGasPayment(objects.map(({ id, version, digest }) => ({ objectId: id, version, digest })));
    transaction.setGasPrice(BigInt(referenceGasPrice));
    transaction.setGasBudget(budget);
  }

  /** @param coinType in canonical form */
  async transfer(receiver: string, amountAtomic: bigint, coinType: string): Promise<string> {
    const transaction = new Transaction();
    const coin = await this.coin(transaction, amountAtomic, coinType);
    transaction.transferObjects([coin], receiver);
    return this.send(transaction);
  }

  async pay(contract: SuiPayContract, order: PaymentOrder): Promise<string> {
    const transaction = new Transaction();
    await this.addPayment(transaction, contract, order);
    return this.send(transaction);
  }

  /** Adds a call of `pay`, without using our own library. */
  async addPayment(transaction: Transaction, contract: SuiPayContract, order: PaymentOrder): Promise<void> {
    const { pure } = transaction;
    const { packageId, registryId, registryVersion } = contract;
    const shared = (objectId: string, initialSharedVersion: bigint, mutable: boolean) =>
      transaction.sharedObjectRef({ objectId, initialSharedVersion: String(initialSharedVersion), mutable });
    const coin = await this.coin(transaction, order.amount_in, order.token_in_address);
    transaction.moveCall({
      target: `${packageId}::pay::pay`,
      typeArguments: [order.token_in_address],
      arguments: [
        shared(registryId, registryVersion, true),
        coin,
        pure.vector('u8', getBytes(order.order_id)),
        pure.string(order.token_in),
        pure.string(order.token_out),
        pure.u64(order.amount_in),
        pure.address(order.merchant),
        pure.u64(order.merchant_amount),
        pure.address(order.fee_receiver),
        pure.u64(order.fee_amount),
        pure.u64(order.deadline),
        shared('0x6', 1n, false),
      ],
    });
  }

  private async coin(
    transaction: Transaction,
    amountAtomic: bigint,
    coinType: string,
  ): Promise<TransactionObjectArgument> {
    if (coinType === suiType) return transaction.splitCoins(transaction.gas, [amountAtomic])[0]!;
    const { objects } = await this.client.core.getCoins({ address: this.address, coinType });
    const { id, version, digest } = objects.find(({ balance }) => BigInt(balance) >= amountAtomic)!;
    return transaction.splitCoins(transaction.objectRef({ objectId: id, version, digest }), [
      amountAtomic,
    ])[0]!;
  }
}
