import { HDNodeWallet, JsonRpcProvider, Network } from 'ethers';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findAnvil } from './anvil-program';
import { LocalProgram } from './local-program';

export interface AnvilOptions {
  chainId: number;
  /** Seconds between blocks. If omitted, each transaction is mined immediately in its own block. */
  blockTimeSeconds?: number;
  /** Unix seconds of the first block, for nodes with identical chains. */
  genesisTime?: number;
}

/** The standard mnemonic of anvil's accounts, each with 10,000 coins. */
const phrase = 'test test test test test test test test test test test junk';
const pollingIntervalMs = 20;

let accounts: HDNodeWallet | undefined;

/** A real EVM node of one test file. The system selects its port. */
export class Anvil {
  private constructor(
    readonly url: string,
    readonly chainId: number,
    /** True if it was started with no other option than its chain id. */
    readonly isDefault: boolean,
    readonly provider: JsonRpcProvider,
    private readonly program: LocalProgram,
    private readonly home: string,
  ) {}

  static async start({ chainId, blockTimeSeconds, genesisTime }: AnvilOptions): Promise<Anvil> {
    // Since Prague each block writes to more system contracts. Mining thousands of blocks would be six times slower.
    const args = ['--port', '0', '--chain-id', String(chainId), '--hardfork', 'cancun'];
    // Without this option, anvil writes all states older than the newest 500 to disk: hundreds of megabytes in some
    // tests.
    args.push('--prune-history', '1000');
    if (blockTimeSeconds !== undefined) args.push('--block-time', String(blockTimeSeconds));
    if (genesisTime !== undefined) args.push('--timestamp', String(genesisTime));
    // Anvil stores old states in the home directory. Nodes of different tests must not share it.
    const home = mkdtempSync(join(tmpdir(), 'tollbridge-anvil-'));
    const program = await LocalProgram.start(findAnvil(), args, /Listening on (\S+)/, { HOME: home });
    const url = `http://${program.announced}`;
    const network = Network.from(chainId);
    const options = { staticNetwork: network, pollingInterval: pollingIntervalMs, batchMaxCount: 1 };
    // A cache would return an outdated nonce.
    const provider = new JsonRpcProvider(url, network, { ...options, cacheTimeout: -1 });
    const isDefault = blockTimeSeconds === undefined && genesisTime === undefined;
    return new Anvil(url, chainId, isDefault, provider, program, home);
  }

  wallet(index: number): HDNodeWallet {
    // The key derivation from a mnemonic computes 2,048 rounds of a hash, so the accounts are cached.
    accounts ??= HDNodeWallet.fromPhrase(phrase, undefined, `m/44'/60'/0'/0`);
    return accounts.deriveChild(index).connect(this.provider);
  }

  send(method: string, params: unknown[] = []): Promise<unknown> {
    return this.provider.send(method, params);
  }

  async height(): Promise<number> {
    return Number(await this.send('eth_blockNumber'));
  }

  /** Unix seconds of the newest block. */
  async time(): Promise<number> {
    return (await this.provider.getBlock('latest'))!.timestamp;
  }

  async mine(blocks = 1): Promise<void> {
    await this.send('anvil_mine', [`0x${blocks.toString(16)}`]);
  }

  /** Mines one block at the given time; later blocks continue from it. */
  async mineAt(unixSeconds: number): Promise<void> {
    await this.send('evm_setNextBlockTimestamp', [unixSeconds]);
    await this.mine();
  }

  /** Advances the node's clock and mines a block. The clock is ahead by exactly that time, even after a delay. */
  async advance(seconds: number): Promise<void> {
    await this.send('evm_increaseTime', [seconds]);
    await this.mine();
  }

  /** With automine off, transactions remain in the pool until a block is mined. */
  async setAutomine(isOn: boolean): Promise<void> {
    await this.send('evm_setAutomine', [isOn]);
  }

  /** Replaces the newest `depth` blocks. Only the transactions in `remined` are mined again, in the first new block. */
  async reorg(depth: number, remined: readonly string[] = []): Promise<void> {
    const raw = await Promise.all(remined.map((hash) => this.rawTransaction(hash)));
    await this.send('anvil_reorg', [depth, raw.map((bytes) => [bytes, 0])]);
  }

  /** A signed transaction that can be sent again. */
  async rawTransaction(hash: string): Promise<string> {
    return String(await this.send('eth_getRawTransactionByHash', [hash]));
  }

  async stop(signal?: NodeJS.Signals): Promise<void> {
    this.provider.destroy();
    await this.program.stop(signal);
    rmSync(this.home, { recursive: true, force: true });
  }
}

export const startAnvil = (options: AnvilOptions): Promise<Anvil> => Anvil.start(options);
