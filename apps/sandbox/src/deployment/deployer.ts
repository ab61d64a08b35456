import { deploymentGas as gasLimit } from '@tollbridge/local-contracts';
import {
  AbstractSigner,
  Signature,
  toQuantity,
  TransactionResponse,
  type JsonRpcProvider,
  type TransactionRequest,
} from 'ethers';

const maxFeePerGas = 100_000_000_000n;
const maxPriorityFeePerGas = 0n;

/**
 * A signer for an account that the local node signs for. It sets gas and fees itself. The signer of ethers would
 * request them from the node, which executes each transaction twice. It would also encode and hash each contract's code
 * four times.
 */
export class Deployer extends AbstractSigner<JsonRpcProvider> {
  constructor(
    private readonly address: string,
    provider: JsonRpcProvider,
  ) {
    super(provider);
  }

  getAddress(): Promise<string> {
    return Promise.resolve(this.address);
  }

  connect(): this {
    return this;
  }

  override async sendTransaction(request: TransactionRequest): Promise<TransactionResponse> {
    const { provider, address: from } = this;
    const { chainId } = await provider.getNetwork();
    const nonce = request.nonce ?? (await this.getNonce('pending'));
    const [to, data, value] = [request.to as string | null, request.data ?? '0x', BigInt(request.value ?? 0)];
    const fees = { maxFeePerGas, maxPriorityFeePerGas };
    const quantities = Object.entries({ gas: gasLimit, value, nonce, ...fees });
    const fields = quantities.map(([name, quantity]) => [name, toQuantity(quantity)]);
    const call = { from, data, ...(to && { to }), ...Object.fromEntries(fields) };
    const hash = (await provider.send('eth_sendTransaction', [call])) as string;
    const sent = { hash, from, to: to ?? null, nonce, data, value, chainId, gasLimit, gasPrice: 0n, ...fees };
    const notMined = { blockNumber: null, blockHash: null, index: 0 };
    const rest = { type: 2, accessList: null, authorizationList: null, signature: Signature.from() };
    return new TransactionResponse({ ...sent, ...notMined, ...rest }, provider);
  }

  signTransaction = notHere;
  signMessage = notHere;
  signTypedData = notHere;
}

function notHere(): never {
  throw new Error('The node signs for this account');
}
