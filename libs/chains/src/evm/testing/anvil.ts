import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The first of the accounts that anvil funds and signs for. */
export const anvilAccount = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
/** Emits one LOG1 for every call: the first word of the call data as the topic, all of it as the data. */
export const logContract = `0x${'a1'.repeat(20)}`;
export const logTopic = `0x${'71'.repeat(32)}`;
// CALLDATACOPY(0, 0, CALLDATASIZE); LOG1(0, CALLDATASIZE, CALLDATALOAD(0)); STOP
const logContractCode = '0x366000600037600035366000a100';

const startDeadlineMs = 20_000;

/** A real node of our own on a free port, with `logContract` in place. */
export class Anvil {
  private constructor(
    readonly url: string,
    private readonly process: ChildProcess,
    private readonly home: string,
  ) {}

  static async start(chainId: number): Promise<Anvil> {
    const platform = `@foundry-rs/anvil-${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`;
    const binary = require.resolve(`${platform}/bin/anvil`);
    // anvil keeps old states below its home directory; two nodes and the developer's own must not meet there.
    const home = mkdtempSync(join(tmpdir(), 'anvil-'));
    // From Cancun on each block writes to system contracts, which makes mining thousands of blocks 20 times slower.
    const chain = ['--chain-id', String(chainId), '--timestamp', '1700000000', '--hardfork', 'shanghai'];
    const args = ['--port', '0', ...chain];
    const child = spawn(binary, args, { stdio: ['ignore', 'pipe', 'ignore'], env: { HOME: home } });
    const anvil = new Anvil(await listeningUrl(child), child, home);
    await anvil.send('anvil_setCode', [logContract, logContractCode]);
    return anvil;
  }

  async send(method: string, params: unknown[] = []): Promise<unknown> {
    const response = await fetch(this.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const { result, error } = (await response.json()) as { result?: unknown; error?: unknown };
    if (error) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result;
  }

  mine(blocks: number): Promise<unknown> {
    return this.send('anvil_mine', [`0x${blocks.toString(16)}`]);
  }

  /** Sends a call that emits a log, and gives the transaction's hash once the transaction is mined. */
  async emitLog(payload: string): Promise<string> {
    const transaction = { from: anvilAccount, to: logContract, data: logTopic + payload };
    const hash = String(await this.send('eth_sendTransaction', [transaction]));
    // In automine the hash may come back before the block exists.
    await until(async () => (await this.send('eth_getTransactionReceipt', [hash])) !== null);
    return hash;
  }

  /** By process id, and done when the process is gone. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    if (this.process.exitCode === null && this.process.signalCode === null) {
      const gone = new Promise((resolve) => this.process.once('exit', resolve));
      process.kill(this.process.pid!, signal);
      await gone;
    }
    rmSync(this.home, { recursive: true, force: true });
  }
}

export async function until(isTrue: () => Promise<boolean>, deadlineMs = 10_000): Promise<void> {
  for (const end = Date.now() + deadlineMs; !(await isTrue());) {
    if (Date.now() > end) throw new Error(`Not within ${deadlineMs} ms: ${isTrue}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

function listeningUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('anvil did not start')), startDeadlineMs);
    let said = '';
    child.stdout!.on('data', (chunk) => {
      said += chunk;
      const port = /Listening on [\d.]+:(\d+)/.exec(said)?.[1];
      if (!port) return;
      clearTimeout(timer);
      resolve(`http://127.0.0.1:${port}`);
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`anvil ended with ${code}`)));
  });
}
