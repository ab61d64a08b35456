import { genesisHash } from './genesis';
import { apiVersion, readContext, withContext, type RpcMethods } from './rpc-context';
import { commitmentIn, configParam, countParam, textParam, type Config } from './rpc-params';
import type { SolanaChain } from './solana-chain';
import { invalidParams, rpcCodes, SolanaRejection } from './solana-rejection';
import { transactionJson } from './transactions.wire';

const mostSlots = 500_000;
const slotsInEpoch = 432_000;

/** Methods of a node that read slots and blocks: https://solana.com/docs/rpc/http */
export class BlockMethods {
  constructor(private readonly chain: SolanaChain) {}

  readonly methods: RpcMethods = {
    getSlot: async ([config]) => this.slot(config),
    getBlockHeight: async ([config]) => (await this.chain.slots()).height(await this.slot(config)),
    getGenesisHash: async () => genesisHash,
    getHealth: async () => 'ok',
    getVersion: async () => ({ 'solana-core': apiVersion, 'feature-set': 3_604_001_754 }),
    getFirstAvailableBlock: async () => 0,
    minimumLedgerSlot: async () => 0,
    getEpochInfo: async ([config]) => this.epochInfo(await this.slot(config)),
    getLatestBlockhash: async ([config]) => {
      const slot = await this.slot(config);
      const slots = await this.chain.slots();
      const { blockhash } = slots.block(slot);
      return withContext(slot, { blockhash, lastValidBlockHeight: slots.lastValidBlockHeight(slot) });
    },
    isBlockhashValid: async ([blockhash, config]) => {
      const slot = await this.slot(config);
      return withContext(slot, (await this.chain.slots()).isRecent(textParam(blockhash), slot));
    },
    getBlockTime: async ([slot]) => (await this.existing(countParam(slot), 'confirmed')).blockTime,
    getBlocks: async ([start, ...rest]) => {
      const end = typeof rest[0] === 'number' ? countParam(rest.shift()) : undefined;
      return this.slotsBetween(countParam(start), end, mostSlots, configParam(rest[0] ?? rest[1]));
    },
    getBlocksWithLimit: async ([start, limit, config]) =>
      this.slotsBetween(countParam(start), undefined, countParam(limit), configParam(config)),
    getBlock: async ([slot, config]) => this.block(countParam(slot), configParam(config)),
    getRecentPrioritizationFees: async () => [],
  };

  private async slot(config: unknown): Promise<number> {
    const options = configParam(config);
    return readContext(this.chain, commitmentIn(options), options);
  }

  private async epochInfo(absoluteSlot: number): Promise<object> {
    return {
      absoluteSlot,
      blockHeight: (await this.chain.slots()).height(absoluteSlot),
      epoch: Math.floor(absoluteSlot / slotsInEpoch),
      slotIndex: absoluteSlot % slotsInEpoch,
      slotsInEpoch,
      transactionCount: null,
    };
  }

  private async slotsBetween(start: number, end: number | undefined, most: number, config: Config) {
    const slots = await this.chain.slots();
    const newest = await this.chain.slot(commitmentIn(config));
    const last = Math.min(end ?? newest, newest);
    if (last - start > mostSlots) throw invalidParams(`Slot range too large; max ${mostSlots}`);
    const found: number[] = [];
    for (let slot = start; slot <= last && found.length < most; slot++)
      if (slots.hasBlock(slot)) found.push(slot);
    return found;
  }

  private async existing(slot: number, commitment: 'confirmed' | 'finalized') {
    const slots = await this.chain.slots();
    if (slot > (await this.chain.slot(commitment)))
      throw new SolanaRejection(rpcCodes.blockNotAvailable, `Block not available for slot ${slot}`);
    if (!slots.hasBlock(slot))
      throw new SolanaRejection(
        rpcCodes.slotSkipped,
        `Slot ${slot} was skipped, or missing due to ledger jump to recent snapshot`,
      );
    return slots.block(slot);
  }

  private async block(slot: number, config: Config): Promise<object> {
    const commitment = commitmentIn(config);
    if (commitment === 'processed')
      throw invalidParams('Method does not support commitment below `confirmed`');
    const { slot: _, ...block } = await this.existing(slot, commitment);
    const { transactionDetails = 'full', encoding = 'json', maxSupportedTransactionVersion } = config;
    if (transactionDetails === 'none') return block;
    const stored = await this.chain.stored.transactionsOf(slot);
    if (transactionDetails === 'signatures')
      return { ...block, signatures: stored.map(({ signature }) => signature) };
    if (transactionDetails !== 'full') throw invalidParams('transactionDetails is not supported here');
    const maxVersion =
      maxSupportedTransactionVersion === undefined ? undefined : countParam(maxSupportedTransactionVersion);
    const format = { encoding: textParam(encoding), maxVersion };
    return { ...block, transactions: stored.map((it) => transactionJson(it, format)) };
  }
}
