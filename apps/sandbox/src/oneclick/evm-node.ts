import type { Chain } from '@tollbridge/chains';
import { MULTICALL3_ADDRESS } from '@tollbridge/onchain';
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
  /** Blocks, the deposit's own included, before a deposit counts. */
  confirmations: number;
}

export interface Outgoing {
  from: Wallet;
  nonce: number;
  /** null for the coin. */
  token: string | null;
  recipient: string;
  amountAtomic: bigint;
}

export interface ContractCall {
  to: string;
  data: string;
  value?: bigint;
}

/** A transfer that the chain refuses, whenever it is tried. */
export class TransferRefused extends Error {}

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
// Some kilobytes of call data each way.
const callsAtOnce = 300;
// A day of idle blocks. Deposits are looked for as soon as a balance has changed, so nearly always in the last few.
const oldestBlocks = 20_000;
const plainTransferGas = 21_000n;
// Local blocks are nearly empty, so their fee only falls; should it rise, this is room for ten full blocks.
const feeRoom = 4n;
const tipPerGas = 1_000_000_000n;

/** A local node: what it holds, and how money is sent over it. */
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

  /** What each owner holds of a token, or of the coin, after a block. */
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
            ? [MULTICALL3_ADDRESS, false, multicall.encodeFunctionData('getEthBalance', [owner])]
            : [token, false, erc20.encodeFunctionData('balanceOf', [owner])],
        );
      const data = multicall.encodeFunctionData('aggregate3', [calls]);
      const answer = await this.provider.call({ to: MULTICALL3_ADDRESS, data, blockTag: height });
      const [results] = multicall.decodeFunctionResult('aggregate3', answer);
      for (const [, value] of results as [boolean, string][]) balances.push(BigInt(value));
    }
    return balances;
  }

  /** The transactions that brought something to an address since a height, the oldest first. */
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
    // Backwards until all that is there is explained. What contracts send shows in no transaction, and stays unexplained.
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

  /** Several calls at the head, all of them in one block; undefined for each that reverts. */
  async callMany(calls: readonly { target: string; data: string }[]): Promise<(string | undefined)[]> {
    const answers: (string | undefined)[] = [];
    for (let start = 0; start < calls.length; start += callsAtOnce) {
      const some = calls.slice(start, start + callsAtOnce).map(({ target, data }) => [target, true, data]);
      const data = multicall.encodeFunctionData('aggregate3', [some]);
      const answer = await this.provider.call({ to: MULTICALL3_ADDRESS, data });
      const [results] = multicall.decodeFunctionResult('aggregate3', answer);
      for (const [isDone, value] of results as [boolean, string][])
        answers.push(isDone && value !== '0x' ? value : undefined);
    }
    return answers;
  }

  /** Unix seconds of a block, by default of the newest. */
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

  /** The words with which the chain refused a transaction, as far as it says any. */
  async refusalOf({ from, to, data, value }: TransactionResponse, height: number): Promise<string> {
    try {
      await this.provider.call({ from, to, data, value, blockTag: height - 1 });
      return '';
    } catch (error) {
      return String((error as { reason?: unknown }).reason ?? '');
    }
  }

  /** What a call takes; undefined when the chain refuses it. */
  async estimate(from: string, call: ContractCall): Promise<bigint | undefined> {
    try {
      return await this.gasFor(from, call);
    } catch (error) {
      if (error instanceof TransferRefused) return undefined;
      throw error;
    }
  }

  nonceOf(address: string): Promise<number> {
    return this.provider.getTransactionCount(address, 'latest');
  }

  receipt(txHash: string): Promise<TransactionReceipt | null> {
    return this.provider.getTransactionReceipt(txHash);
  }

  /** @throws TransferRefused when the chain would not let it pass. */
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
    // State may change until it is mined: half more than now.
    return this.signWithGas(from, nonce, call, (gas * 3n) / 2n);
  }

  /**
   * A call with a gas limit of the caller's choice: where a contract catches what fails inside of it, an estimate finds
   * the gas with which all of it fails. @throws TransferRefused when the chain would not let it pass.
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

  /** Sends all coins of an address but for what the transfer costs, which is exactly known. */
  async signSweepOfCoins(
    from: Wallet,
    nonce: number,
    recipient: string,
  ): Promise<{ raw: string; txHash: string; amountAtomic: bigint }> {
    const amountAtomic = await this.provider.getBalance(from.address);
    const gasPrice = await this.feePerGas();
    const value = amountAtomic - gasPrice * plainTransferGas;
    if (value <= 0n) throw new TransferRefused('the coins do not pay for their own transfer');
    const transaction = { type: 0, chainId: this.chain.chainId!, nonce, to: recipient, value, gasPrice };
    const raw = await from.signTransaction({ ...transaction, gasLimit: plainTransferGas });
    return { ...signed(raw), amountAtomic };
  }

  /** Takes a transaction that the node has already for sent. Any other refusal shows by its staying unmined. */
  async send(raw: string): Promise<void> {
    await this.provider.send('eth_sendRawTransaction', [raw]).catch((error: unknown) => {
      if (!isRpcRefusal(error)) throw error;
    });
  }

  private async gasFor(from: string, call: { to: string; value?: bigint; data?: string }): Promise<bigint> {
    try {
      return await this.provider.estimateGas({ ...call, from });
    } catch (error) {
      if (isRpcRefusal(error)) throw new TransferRefused('the chain refuses it', { cause: error });
      throw error;
    }
  }

  /** What a transaction sent now should offer for a unit of gas. */
  async feePerGas(): Promise<bigint> {
    const block = await this.provider.getBlock('latest');
    return (block?.baseFeePerGas ?? 0n) * feeRoom + tipPerGas;
  }
}

function signed(raw: string): { raw: string; txHash: string } {
  return { raw, txHash: Transaction.from(raw).hash! };
}

/** The node answered, and said no; anything else is a node that does not answer. */
function isRpcRefusal(error: unknown): boolean {
  const {
    code,
    error: answer,
    info,
  } = error as { code?: unknown; error?: unknown; info?: { error?: unknown } };
  const refusals = ['CALL_EXCEPTION', 'INSUFFICIENT_FUNDS', 'NONCE_EXPIRED', 'REPLACEMENT_UNDERPRICED'];
  return refusals.includes(String(code)) || answer !== undefined || info?.error !== undefined;
}
