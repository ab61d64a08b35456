import { parseArgs } from 'node:util';
import { isAddress, JsonRpcProvider, Wallet } from 'ethers';
import { readKeyFile } from './key-file';
import { deployTollbridgePay } from './deploy';
import { deployTollbridgePayouts } from './payouts';

const usage =
  'Usage: node scripts/deploy.mjs <rpcUrl> [--key-file <path>] [--payout-fees-to <address>]\n' +
  'With that address the contract of payouts is deployed in place of the payment contract.\n' +
  'The private key comes from that file, or else from the environment variable DEPLOYER_PRIVATE_KEY.';

/** The command of scripts/deploy.mjs. Returns the line to print. Neither the line nor an error contains the key. */
export async function runDeployCommand(args: string[], env: NodeJS.ProcessEnv): Promise<string> {
  const { rpcUrl, keyFile, payoutFeesTo } = parseCommandLine(args);
  const wallet = walletOf(keyFile ? readKeyFile(keyFile) : env.DEPLOYER_PRIVATE_KEY);
  const provider = new JsonRpcProvider(rpcUrl);
  try {
    const { chainId } = await provider.getNetwork();
    const signer = wallet.connect(provider);
    const name = payoutFeesTo === undefined ? 'TollbridgePay' : 'TollbridgePayouts';
    const { address, deployed } = await (payoutFeesTo === undefined
      ? deployTollbridgePay(signer)
      : deployTollbridgePayouts(signer, payoutFeesTo));
    return `${name} ${deployed ? 'deployed' : 'was already'} at ${address} on chain ${chainId}`;
  } catch (error) {
    throw new Error(shortReason(error));
  } finally {
    provider.destroy();
  }
}

interface CommandLine {
  rpcUrl: string;
  keyFile: string | undefined;
  payoutFeesTo: string | undefined;
}

function parseCommandLine(args: string[]): CommandLine {
  try {
    const options = { 'key-file': { type: 'string' }, 'payout-fees-to': { type: 'string' } } as const;
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const [rpcUrl] = positionals;
    const payoutFeesTo = values['payout-fees-to'];
    const isUsable = payoutFeesTo === undefined || isAddress(payoutFeesTo);
    if (rpcUrl && positionals.length === 1 && isUsable)
      return { rpcUrl, keyFile: values['key-file'], payoutFeesTo };
  } catch {
    // The error may quote an argument, which may be a key passed by mistake.
  }
  throw new Error(usage);
}

function walletOf(privateKey: string | undefined): Wallet {
  if (!privateKey) throw new Error(usage);
  try {
    return new Wallet(privateKey.trim());
  } catch {
    throw new Error('The private key is not 32 bytes in hex');
  }
}

/** Returns the error without ethers' details. These contain the request with the node's URL and access token. */
function shortReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'shortMessage' in error ? String(error.shortMessage) : error.message;
}
