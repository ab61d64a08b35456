import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { JsonRpcProvider, Wallet } from 'ethers';
import { deployTollbridgePay } from './deploy';

const USAGE =
  'Usage: node scripts/deploy.mjs <rpcUrl> [--key-file <path>]\n' +
  'The private key comes from that file, or else from the environment variable DEPLOYER_PRIVATE_KEY.';

/** The command behind scripts/deploy.mjs. Returns the line to print; neither it nor an error holds the key. */
export async function runDeployCommand(args: string[], env: NodeJS.ProcessEnv): Promise<string> {
  const { rpcUrl, keyFile } = parseCommandLine(args);
  const wallet = walletOf(keyFile ? readFileSync(keyFile, 'utf8') : env.DEPLOYER_PRIVATE_KEY);
  const provider = new JsonRpcProvider(rpcUrl);
  try {
    const { chainId } = await provider.getNetwork();
    const { address, deployed } = await deployTollbridgePay(wallet.connect(provider));
    return `TollbridgePay ${deployed ? 'deployed' : 'was already'} at ${address} on chain ${chainId}`;
  } catch (error) {
    throw new Error(shortReason(error));
  } finally {
    provider.destroy();
  }
}

function parseCommandLine(args: string[]): { rpcUrl: string; keyFile: string | undefined } {
  try {
    const options = { 'key-file': { type: 'string' } } as const;
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const [rpcUrl] = positionals;
    if (rpcUrl && positionals.length === 1) return { rpcUrl, keyFile: values['key-file'] };
  } catch {
    // The reason may quote an argument, and that may be a key given by mistake.
  }
  throw new Error(USAGE);
}

function walletOf(privateKey: string | undefined): Wallet {
  if (!privateKey) throw new Error(USAGE);
  try {
    return new Wallet(privateKey.trim());
  } catch {
    throw new Error('The private key is not 32 bytes in hex');
  }
}

/** Without ethers' details, which quote the request and with it the URL of the node and its access token. */
function shortReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'shortMessage' in error ? String(error.shortMessage) : error.message;
}
