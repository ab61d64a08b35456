import type { Chain } from '@tollbridge/chains';
import { multicall3Address } from '@tollbridge/onchain';
import {
  FetchRequest,
  Interface,
  JsonRpcProvider,
  toQuantity,
  Transaction,
  Wallet,
  zeroPadValue,
  type Log,
  type TransactionReceipt,
  type TransactionResponse,
} from 'ethers';

export interface EvmNodeOptions {
  chain: Chain;
  rpcUrl: string;
  /** Confirmations before a deposit counts, including its own block. */
  confirmations: number;
}

export interface Outgoing {
  from: Wallet;
  nonce: number;
  /** Null for the native coin. */
  token: string | null;
  recipient: string;
  amountAtomic: bigint;
}

export interface ContractCall {
  to: string;
  data: string;
  value?: bigint;
}

/** Thrown when the chain rejects a transfer and a retry would be rejected too. */
export class TransferRejected extends Error {}

const erc20 = new Interface([
  'function balanceOf(address account) view returns (uint256)',
  'function transfer(address to, uint256 amount) returns (bool)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
]);
const multicall = new Interface([
  'function aggregate3((address target, bool allowFailure, bytes callData)[] calls) view returns ((bool success, bytes returnData)[] results)',
  'function getEthBalance(address account) view returns (uint256)',
]);
const requestTimeoutMs = 5_000;
// Maximum calls of a batch, which has several kilobytes in each direction.
const callsAtOnce = 300;
// One day of idle blocks. The watcher searches when a balance changes, so deposits are nearly always in the last few
// blocks.
const oldestBlocks = 20_000;
const plainTransferGas = 21_000n;
// Local blocks are nearly empty, so their fee falls. This factor allows a rise over ten full blocks.
const feeRoom = 4n;
const tipPerGas = 1_000_000_000n;

/** Reads balances from a local node, and sends transfers to it. */
export class EvmNode {
  readonly chain: Chain;
  readonly confirmations: number;
  private readonly provider: JsonRpcProvider;

  constructor({ chain, rpcUrl, confirmations }: EvmNodeOptions) {
    const request = new FetchRequest(rpcUrl);
    request.timeout = requestTimeoutMs;
    this.chain = chain;
    this.confirmations = confirmations;
    const options = { staticNetwork: true, cacheTimeout: -1, batchMaxCount: 1 } as const;
    this.provider = new JsonRpcProvider(request, chain.chainId!, options);
  }

  close(): void {
    this.provider.destroy();
  }

  async head(): Promise<{ height: number; hash: string }> {
    const block = (await this.provider.send('eth_getBlockByNumber', ['latest', false])) as {
      number: string;
      hash: string;
    };
    return { height: Number(block.number), hash: block.hash };
  }

  /** Returns the balances of tokens or native coins by owner, after a block. */
  async balances(
    owners: readonly { owner: string; token: string | null }[],
    height: number,
  ): Promise<bigint[]> {
    const balances: bigint[] = [];
    for (let start = 0; start < owners.length; start += callsAtOnce) {
      const calls = owners
        .slice(start, start + callsAtOnce)
        .map(({ owner, token }) =>
          token === null
            ? [multicall3Address, false, multicall.encodeFunctionData('getEthBalance', [owner])]
            : [token, false, erc20.encodeFunctionData('balanceOf', [owner])],
        );
      const data = multicall.encodeFunctionData('aggregate3', [calls]);
      const answer = await this.provider.call({ to: multicall3Address, data, blockTag: height });
      const [results] = multicall.decodeFunctionResult('aggregate3', answer);
      for (const [, value] of results as [boolean, string][]) balances.push(BigInt(value));
    }
    return balances;
  }

  /** Returns transactions that transferred to an address from a height on, oldest first. */
  async incoming(owner: string, token: string | null, fromHeight: number): Promise<string[]> {
    if (token === null) return this.incomingCoins(owner, fromHeight);
    const topics = [erc20.getEvent('Transfer')!.topicHash, null, zeroPadValue(owner, 32)];
    const logs = await this.provider.getLogs({ address: token, topics, fromBlock: fromHeight });
    return [...new Set(logs.map(({ transactionHash }) => transactionHash))];
  }

  private async incomingCoins(owner: string, fromHeight: number): Promise<string[]> {
    const { height: head } = await this.head();
    const held = await this.provider.getBalance(owner);
    const hashes: string[] = [];
    let found = 0n;
    // Searches backwards until the transactions add up to the balance. Coins that contracts sent are in no transaction,
    // so they are never found.
    const oldest = Math.max(fromHeight, head - oldestBlocks);
    for (let height = head; height >= oldest && found < held; height--) {
      const block = (await this.provider.send('eth_getBlockByNumber', [toQuantity(height), true])) as {
        transactions: { hash: string; to: string | null; value: string }[];
      };
      for (const { hash, to, value } of block.transactions) {
        if (to?.toLowerCase() !== owner.toLowerCase() || BigInt(value) === 0n) continue;
        hashes.unshift(hash);
        found += BigInt(value);
      }
    }
    return hashes;
  }

  /** Executes several calls in one block at the head of the chain. Returns undefined for each that reverts. */
  async callMany(calls: readonly { target: string; data: string }[]): Promise<(string | undefined)[]> {
    const answers: (string | undefined)[] = [];
    for (let start = 0; start < calls.length; start += callsAtOnce) {
      const some = calls.slice(start, start + callsAtOnce).map(({ target, data }) => [target, true, data]);
      const data = multicall.encodeFunctionData('aggregate3', [some]);
      const answer = await this.provider.call({ to: multicall3Address, data });
      const [results] = multicall.decodeFunctionResult('aggregate3', answer);
      for (const [isDone, value] of results as [boolean, string][])
        answers.push(isDone && value !== '0x' ? value : undefined);
    }
    return answers;
  }

  /** Returns the Unix seconds of a block, by default of the newest. */
  async timeAt(height?: number): Promise<number> {
    const block = await this.provider.getBlock(height ?? 'latest');
    if (!block) throw new Error(`${this.chain.name} has no block ${height}`);
    return block.timestamp;
  }

  logs(filter: {
    address: string;
    topics: (string | null)[];
    fromBlock: number;
    toBlock?: number;
  }): Promise<Log[]> {
    return this.provider.getLogs(filter);
  }

  async isContract(address: string): Promise<boolean> {
    return (await this.provider.getCode(address)) !== '0x';
  }

  coinsOf(address: string): Promise<bigint> {
    return this.provider.getBalance(address);
  }

  transaction(txHash: string): Promise<TransactionResponse | null> {
    return this.provider.getTransaction(txHash);
  }

  /** Returns the revert reason of a rejected transaction, if the chain provides one. */
  async toRejection({ from, to, data, value }: TransactionResponse, height: number): Promise<string> {
    try {
      await this.provider.call({ from, to, data, value, blockTag: height - 1 });
      return '';
    } catch (error) {
      return String((error as { reason?: unknown }).reason ?? '');
    }
  }

  /** Gas estimate of a call; undefined when the chain rejects it. */
  async estimate(from: string, call: ContractCall): Promise<bigint | undefined> {
    try {
      return await this.gasFor(from, call);
    } catch (error) {
      if (error instanceof TransferRejected) return undefined;
      throw error;
    }
  }

  nonceOf(address: string): Promise<number> {
    return this.provider.getTransactionCount(address, 'latest');
  }

  receipt(txHash: string): Promise<TransactionReceipt | null> {
    return this.provider.getTransactionReceipt(txHash);
  }

  /** @throws TransferRejected when the chain rejects the call. */
  async sign({
    from,
    nonce,
    token,
    recipient,
    amountAtomic,
  }: Outgoing): Promise<{ raw: string; txHash: string }> {
    const call =
      token === null
        ? { to: recipient, value: amountAtomic }
        : { to: token, data: erc20.encodeFunctionData('transfer', [recipient, amountAtomic]) };
    const gas = await this.gasFor(from.address, call);
    // The state may change before the transaction is mined, so the limit is 50 % above the estimate.
    return this.signWithGas(from, nonce, call, (gas * 3n) / 2n);
  }

  /**
   * Signs a call with an explicit gas limit. If a contract catches inner failures, an estimate returns the gas of a
   * failing call.
   * @throws TransferRejected when the chain rejects the call
   */
  async signCall(
    from: Wallet,
    nonce: number,
    call: ContractCall,
    gasLimit: bigint,
  ): Promise<{ raw: string; txHash: string }> {
    await this.gasFor(from.address, call);
    return this.signWithGas(from, nonce, call, gasLimit);
  }

  private async signWithGas(
    from: Wallet,
    nonce: number,
    call: { to: string; value?: bigint; data?: string },
    gasLimit: bigint,
  ): Promise<{ raw: string; txHash: string }> {
    const fee = await this.feePerGas();
    const fees = { maxFeePerGas: fee, maxPriorityFeePerGas: tipPerGas };
    const transaction = { ...call, ...fees, type: 2, chainId: this.chain.chainId!, nonce, gasLimit };
    return signed(await from.signTransaction(transaction));
  }

  /** Sends all coins of an address, minus the exact cost of the transfer. */
  async signSweepOfCoins(
    from: Wallet,
    nonce: number,
    recipient: string,
  ): Promise<{ raw: string; txHash: string; amountAtomic: bigint }> {
    const amountAtomic = await this.provider.getBalance(from.address);
    const gasPrice = await this.feePerGas();
    const value = amountAtomic - gasPrice * plainTransferGas;
    if (value <= 0n) throw new TransferRejected('the balance does not cover the cost of its own transfer');
    const transaction = { type: 0, chainId: this.chain.chainId!, nonce, to: recipient, value, gasPrice };
    const raw = await from.signTransaction({ ...transaction, gasLimit: plainTransferGas });
    return { ...signed(raw), amountAtomic };
  }

  /** Sends a transaction. One that the node already has counts as sent. After another rejection, it stays unmined. */
  async send(raw: string): Promise<void> {
    await this.provider.send('eth_sendRawTransaction', [raw]).catch((error: unknown) => {
      if (!isRpcRejection(error)) throw error;
    });
  }

  private async gasFor(from: string, call: { to: string; value?: bigint; data?: string }): Promise<bigint> {
    try {
      return await this.provider.estimateGas({ ...call, from });
    } catch (error) {
      if (isRpcRejection(error))
        throw new TransferRejected('the chain rejects the transfer', { cause: error });
      throw error;
    }
  }

  /** Returns the gas price for a transaction that is sent now. */
  async feePerGas(): Promise<bigint> {
    const block = await this.provider.getBlock('latest');
    return (block?.baseFeePerGas ?? 0n) * feeRoom + tipPerGas;
  }
}

function signed(raw: string): { raw: string; txHash: string } {
  return { raw, txHash: Transaction.from(raw).hash! };
}

/** Whether the node has responded with a rejection. Any other error means that the node is unavailable. */
function isRpcRejection(error: unknown): boolean {
  const {
    code,
    error: answer,
    info,
  } = error as { code?: unknown; error?: unknown; info?: { error?: unknown } };
  const rejections = ['CALL_EXCEPTION', 'INSUFFICIENT_FUNDS', 'NONCE_EXPIRED', 'REPLACEMENT_UNDERPRICED'];
  return rejections.includes(String(code)) || answer !== undefined || info?.error !== undefined;
}
