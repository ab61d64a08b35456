import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { HDNodeWallet, JsonRpcProvider, Network, type Wallet } from 'ethers';

/** A real EVM node of one test file, on a port that the system chose. */
export interface Anvil {
  rpcUrl: string;
  provider: JsonRpcProvider;
  /** One of the node's ten accounts with 10,000 coins each. */
  wallet(index: number): Wallet | HDNodeWallet;
  stop(): Promise<void>;
}

/** The well-known development phrase of anvil's accounts. */
const PHRASE = 'test test test test test test test test test test test junk';
const POLLING_INTERVAL_MS = 20;

export async function startAnvil(chainId = 31337): Promise<Anvil> {
  const node = spawn(binaryPath(), ['--port', '0', '--chain-id', String(chainId)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const rpcUrl = `http://${await listeningAddress(node)}`;
  const network = Network.from(chainId);
  const provider = new JsonRpcProvider(rpcUrl, network, {
    staticNetwork: network,
    pollingInterval: POLLING_INTERVAL_MS,
    // Caching would answer with the nonce of a moment ago.
    cacheTimeout: -1,
  });
  const wallet = (index: number): HDNodeWallet =>
    HDNodeWallet.fromPhrase(PHRASE, undefined, `m/44'/60'/0'/0/${index}`).connect(provider);

  const stop = async (): Promise<void> => {
    provider.destroy();
    node.kill('SIGTERM');
    if (node.exitCode === null && node.signalCode === null) await once(node, 'exit');
  };
  return { rpcUrl, provider, wallet, stop };
}

/** The program itself, not its npm wrapper: a wrapper killed by its pid would leave the node behind. */
function binaryPath(): string {
  const platform = process.platform;
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
  const program = platform === 'win32' ? 'anvil.exe' : 'anvil';
  const name = `@foundry-rs/anvil-${platform}-${architecture}/bin/${program}`;
  return require.resolve(name);
}

async function listeningAddress(node: ChildProcessByStdio<null, Readable, null>): Promise<string> {
  let address: string | undefined;
  for await (const line of createInterface({ input: node.stdout })) {
    address = /^Listening on (\S+)/.exec(line)?.[1];
    if (address) break;
  }
  if (!address) throw new Error('anvil ended before it listened');
  // Leaving the loop paused the stream, and a node that writes to a full pipe would hang.
  node.stdout.resume();
  return address;
}
