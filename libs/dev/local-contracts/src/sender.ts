import { mined } from '@tollbridge/onchain';
import {
  ContractFactory,
  getCreateAddress,
  Interface,
  type JsonFragment,
  type JsonRpcApiProvider,
  type Signer,
  type TransactionRequest,
  type TransactionResponse,
} from 'ethers';
import { artifact, type ContractName } from './artifacts';

/**
 * Gas limit of a deployment. The largest contract, the position manager, needs 5.5 million; a transaction may use 16
 * million.
 */
export const deploymentGas = 10_000_000n;

/**
 * Sends the transactions of a deployment without waiting, and waits for all of them at the end. Each has the next
 * nonce, so contract addresses are known in advance. Each has a gas limit, because the node cannot simulate it on top
 * of unmined transactions.
 */
export class Sender {
  private readonly sent: TransactionResponse[] = [];

  private constructor(
    private readonly signer: Signer,
    readonly provider: JsonRpcApiProvider,
    readonly address: string,
    private nonce: number,
    private readonly fees: Pick<TransactionRequest, 'maxFeePerGas' | 'maxPriorityFeePerGas'>,
  ) {}

  static async of(signer: Signer): Promise<Sender> {
    const provider = signer.provider as JsonRpcApiProvider | null;
    if (!provider) throw new Error('The signer needs a provider to deploy with');
    const address = await signer.getAddress();
    const nonce = await signer.getNonce('pending');
    const { maxFeePerGas, maxPriorityFeePerGas } = await provider.getFeeData();
    return new Sender(signer, provider, address, nonce, { maxFeePerGas, maxPriorityFeePerGas });
  }

  /** Deploys a contract and returns its future address. */
  async create(name: ContractName, args: readonly unknown[] = []): Promise<string> {
    const { abi, bytecode } = artifact(name);
    const { data } = await new ContractFactory(abi, bytecode).getDeployTransaction(...args);
    const address = getCreateAddress({ from: this.address, nonce: this.nonce });
    await this.send({ data });
    return address;
  }

  /** Calls a function of a contract. The ABI is the contract's interface or a function declaration. */
  async call(
    to: string,
    abi: readonly (JsonFragment | string)[],
    name: string,
    args: readonly unknown[],
    value = 0n,
  ): Promise<void> {
    await this.send({ to, data: new Interface(abi).encodeFunctionData(name, args), value });
  }

  /**
   * Resolves when all transactions are mined.
   * @throws Error CALL_EXCEPTION if any of them reverted
   */
  async mined(): Promise<void> {
    for (const transaction of this.sent.splice(0)) await mined(transaction);
  }

  private async send(request: TransactionRequest): Promise<void> {
    const nonce = this.nonce++;
    this.sent.push(
      await this.signer.sendTransaction({
        ...request,
        ...this.fees,
        nonce,
        gasLimit: deploymentGas,
        type: 2,
      }),
    );
  }
}
