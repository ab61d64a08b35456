import { parseArgs } from 'node:util';
import { readKeyFile } from '../../key-file';
import { addressToBytes } from '../keys';
import { addressOfKey } from '../message';
import { deploySolanaPay, program } from './deploy';
import { deploymentAddresses, deploymentCosts } from './deployment';
import { SolanaNode } from './json-rpc';
import { loaderProgram } from './loader';

const usage =
  'Usage: node scripts/deploy-solana.mjs <rpcUrl> --key-file <path>\n' +
  '       node scripts/deploy-solana.mjs --dry-run [--deployer <address>]\n' +
  "The file holds the deployer's key as solana-keygen writes it: a JSON array of 64 numbers.";

/**
 * The command of scripts/deploy-solana.mjs. Returns the text to print. Neither the text nor an error contains the key.
 */
export async function runSolanaDeployCommand(args: string[], pollMs?: number): Promise<string> {
  const { rpcUrl, keyFile, isDryRun, deployer } = parseCommandLine(args);
  if (isDryRun) return describeDryRun(deployer);
  if (rpcUrl === undefined || keyFile === undefined) throw new Error(usage);
  const secretKey = readKey(keyFile);
  const { address, deployed } = await deploySolanaPay(new SolanaNode(rpcUrl, pollMs), secretKey);
  return `Solana payment program ${deployed ? 'deployed' : 'was already'} at ${address}, without an upgrade authority`;
}

function describeDryRun(deployer: string | undefined): string {
  // Rent of 6,960 lamports per byte, plus 128 bytes per account, until the cluster lowers it.
  const { transactions, keptLamports } = deploymentCosts(
    program.code,
    (bytes) => BigInt(128 + bytes) * 6_960n,
  );
  const fees = BigInt(transactions) * 5_000n;
  return [
    `Program: ${program.code.length} bytes, SHA-256 ${program.codeHash}`,
    `Loader: ${loaderProgram}; the upgrade authority is given up in the transaction that deploys`,
    `Transactions: ${transactions}`,
    `Lamports: ${keptLamports} of rent, which stays, and ${fees} of fees`,
    deployer === undefined
      ? 'Address: pass --deployer <address> to see it; it depends on the deployer and the code only'
      : `Address: ${deploymentAddresses(deployer, program.codeHash).program}`,
  ].join('\n');
}

function parseCommandLine(args: string[]) {
  try {
    const { values, positionals } = parseArgs({
      args,
      options: {
        'key-file': { type: 'string' },
        deployer: { type: 'string' },
        'dry-run': { type: 'boolean' },
      },
      allowPositionals: true,
    });
    const { deployer, 'key-file': keyFile, 'dry-run': isDryRun = false } = values;
    if (deployer !== undefined) addressToBytes(deployer);
    if (positionals.length <= 1) return { rpcUrl: positionals[0], keyFile, isDryRun, deployer };
  } catch {
    // The error may quote an argument, which may be a key passed by mistake.
  }
  throw new Error(usage);
}

/** Reads a key file: the secret key in the first half, its address in the second half. */
function readKey(path: string): Uint8Array {
  const bytes = parseNumbers(readKeyFile(path));
  const secretKey = bytes?.slice(0, 32);
  const isPair =
    bytes?.length === 64 &&
    Buffer.from(addressToBytes(addressOfKey(secretKey!))).equals(Buffer.from(bytes.slice(32)));
  if (!isPair) throw new Error(`The key file holds no key pair.\n${usage}`);
  return secretKey!;
}

function parseNumbers(text: string): Uint8Array | undefined {
  try {
    const numbers: unknown = JSON.parse(text);
    const isByte = (it: unknown) => Number.isInteger(it) && Number(it) >= 0 && Number(it) < 256;
    return Array.isArray(numbers) && numbers.every(isByte) ? Uint8Array.from(numbers as number[]) : undefined;
  } catch {
    return undefined;
  }
}
