import type { ExactJson, ExactJsonObject } from '@tollbridge/onchain/tron';
import type { EvmBlock } from './anvil-node';
import { blockId, heightInId } from './blocks';
import { internalTransactions } from './internal-transactions';
import { countIn, idIn, type Params } from './params';
import type { TronTransaction } from './transactions';
import type { TronChain } from './tron-chain';
import { blockHeaderJson, blockJson, infoJson, transactionJson } from './wire';

export type Method = (params: Params) => Promise<ExactJson>;
/** The blocks that a client may read: all, or only solid blocks on a solidity node. */
export type View = 'head' | 'solid';

const maxBlocks = 100;

/** Methods of a full node for blocks and their transactions. */
export class BlockMethods {
  constructor(
    private readonly chain: TronChain,
    private readonly view: View,
  ) {}

  methods(): Record<string, Method> {
    return {
      getnowblock: async () => this.fullBlock(await this.newest()),
      getblock: (params) => this.getBlock(params),
      getblockbynum: async (params) => this.optionalBlock(await this.visible(countIn(params, 'num', 0))),
      getblockbyid: (params) => this.blockById(idIn(params, 'value')),
      getblockbylimitnext: (params) =>
        this.blocks(countIn(params, 'startNum', 0), countIn(params, 'endNum', 0)),
      getblockbylatestnum: async (params) => {
        const end = Number((await this.newest()).number) + 1;
        return this.blocks(Math.max(0, end - countIn(params, 'num', 1)), end);
      },
      gettransactionbyid: async (params) => {
        const transaction = await this.transaction(params);
        return transaction ? transactionJson(transaction) : {};
      },
      gettransactioninfobyid: async (params) => {
        const transaction = await this.transaction(params);
        return transaction ? this.info(transaction) : {};
      },
      gettransactioninfobyblocknum: async (params) => {
        const block = await this.visible(countIn(params, 'num', 0));
        if (!block) return [];
        return (await this.chain.transactions.ofBlock(block)).map((it) => infoJson(it, block));
      },
    };
  }

  private async newest(): Promise<EvmBlock> {
    const { node } = this.chain;
    return (await node.block(this.view === 'head' ? 'latest' : await this.chain.solidHeight()))!;
  }

  private async visible(height: number): Promise<EvmBlock | null> {
    if (this.view === 'solid' && height > (await this.chain.solidHeight())) return null;
    return this.chain.node.block(height);
  }

  private async fullBlock(block: EvmBlock): Promise<ExactJsonObject> {
    const transactions = await this.chain.transactions.ofBlock(block);
    return blockJson(block, transactions);
  }

  private async optionalBlock(block: EvmBlock | null): Promise<ExactJson> {
    return block ? this.fullBlock(block) : {};
  }

  private async getBlock(params: Params): Promise<ExactJson> {
    const wanted = params['id_or_num'];
    const id = idIn(params, 'id_or_num');
    const isNewest = wanted === undefined || wanted === '';
    const block = isNewest
      ? await this.newest()
      : id === undefined
        ? await this.visible(countIn(params, 'id_or_num', 0))
        : await this.byId(id);
    if (!block) return {};
    const hasDetails = params['detail'] === true || params['detail'] === 'true';
    return hasDetails ? this.fullBlock(block) : blockHeaderJson(block);
  }

  private async byId(id: string): Promise<EvmBlock | null> {
    const height = heightInId(id);
    const block = Number.isSafeInteger(height) ? await this.visible(height) : null;
    return block && blockId(block) === id ? block : null;
  }

  private async blockById(id: string | undefined): Promise<ExactJson> {
    return id === undefined ? {} : this.optionalBlock(await this.byId(id));
  }

  private async blocks(start: number, end: number): Promise<ExactJson> {
    const newest = Number((await this.newest()).number);
    const last = Math.min(end, newest + 1, start + maxBlocks);
    const heights = Array.from({ length: Math.max(0, last - start) }, (_, index) => start + index);
    return {
      block: await Promise.all(
        heights.map(async (it) => this.optionalBlock(await this.chain.node.block(it))),
      ),
    };
  }

  private async transaction(params: Params): Promise<TronTransaction | undefined> {
    const id = idIn(params, 'value');
    const found = id === undefined ? undefined : await this.chain.transactions.find(id);
    const isVisible = this.view === 'head' || (found && found.height <= (await this.chain.solidHeight()));
    return isVisible ? found : undefined;
  }

  private async info(transaction: TronTransaction): Promise<ExactJson> {
    const { node } = this.chain;
    const { execution, height } = transaction;
    const calls = execution === null ? [] : await internalTransactions(node, execution);
    return {
      ...infoJson(transaction, (await node.block(height))!),
      internal_transactions: calls.length === 0 ? undefined : calls,
    };
  }
}
