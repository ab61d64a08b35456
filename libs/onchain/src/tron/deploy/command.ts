import { parseArgs } from 'node:util';
import { dataLength, SigningKey } from 'ethers';
import { readKeyFile } from '../../key-file';
import { tollbridgePayCreationCode, tollbridgePayRuntimeHash } from '../../generated/tollbridge-pay';
import { tronToEvmAddress } from '../address';
import { encodeRawData } from '../raw-transaction';
import { deployTronPay, payCreation, planDeployment, requireTronPayCode } from './deploy-pay';
import { TronNode } from './tron-node';

const usage =
  'Usage: node scripts/deploy-tron.mjs <nodeUrl> [--key-file <path>]      deploys TollbridgePay\n' +
  '       node scripts/deploy-tron.mjs --dry-run [<nodeUrl>] [--owner <T…>]  sends nothing, needs no key\n' +
  '       node scripts/deploy-tron.mjs <nodeUrl> --verify <T…>             verifies a deployed contract\n' +
  'The private key comes from the file, or else from the environment variable DEPLOYER_PRIVATE_KEY;\n' +
  'the key of TronGrid comes from TRON_API_KEY.';

// The example account of TronGrid's reference. Any existing account produces the same estimate.
const sampleOwner = 'TPswDDCAWhJAZGdHPidFg5nEf8TkNToDX1';
// A signature, and the bytes that a node adds for the result.
const envelopeBytes = 133;

interface CommandLine {
  nodeUrl: string | undefined;
  isDryRun: boolean;
  owner: string;
  keyFile: string | undefined;
  verify: string | undefined;
}

/** The command of scripts/deploy-tron.mjs. Neither its lines nor its errors contain a key or the node's URL. */
export async function runTronDeployCommand(
  args: string[],
  env: NodeJS.ProcessEnv,
  print: (line: string) => void,
): Promise<void> {
  const line = parseCommandLine(args);
  if (line.isDryRun) return dryRun(line, env, print);
  const node = new TronNode(line.nodeUrl!, env.TRON_API_KEY);
  if (line.verify !== undefined) {
    await requireTronPayCode(node, line.verify);
    return print(`The contract at ${line.verify} is TollbridgePay`);
  }
  const key = signingKey(line.keyFile === undefined ? env.DEPLOYER_PRIVATE_KEY : readKeyFile(line.keyFile));
  const { address } = await deployTronPay(node, key, ({ address, txId }) =>
    print(`Sending transaction ${txId}; the contract's address will be ${address}`),
  );
  print(`TollbridgePay deployed at ${address}`);
}

async function dryRun(
  { nodeUrl, owner }: CommandLine,
  env: NodeJS.ProcessEnv,
  print: (line: string) => void,
): Promise<void> {
  print(
    `Creation code: ${dataLength(tollbridgePayCreationCode)} bytes; runtime code hash: ${tollbridgePayRuntimeHash}`,
  );
  print(`Bandwidth: ${bandwidthOf(owner)} bytes; callers pay all energy of their calls`);
  if (nodeUrl === undefined)
    return print('Pass the URL of a node to also read its network and estimate the energy');
  const { energy, energyPrice, feeLimit, network } = await planDeployment(
    new TronNode(nodeUrl, env.TRON_API_KEY),
    owner,
  );
  print(`The network has the opcodes of Shanghai and Cancun; its head is block ${network.head.height}`);
  print(`Energy: ${energy}; at ${energyPrice} sun: ${energy * energyPrice} sun; fee limit: ${feeLimit} sun`);
}

function bandwidthOf(owner: string): number {
  const raw = {
    contract: payCreation(owner),
    refBlockBytes: 'ffff',
    refBlockHash: 'ff'.repeat(8),
    expirationMs: 1_800_000_000_000,
    timestampMs: 1_800_000_000_000,
    feeLimit: 1_000_000_000n,
  };
  return encodeRawData(raw).length + envelopeBytes;
}

function parseCommandLine(args: string[]): CommandLine {
  try {
    const options = {
      'dry-run': { type: 'boolean' },
      'key-file': { type: 'string' },
      owner: { type: 'string' },
      verify: { type: 'string' },
    } as const;
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const { owner = sampleOwner, verify } = values;
    const isDryRun = values['dry-run'] === true;
    for (const address of [owner, verify]) if (address !== undefined) tronToEvmAddress(address);
    const [nodeUrl] = positionals;
    if (positionals.length <= 1 && (isDryRun || nodeUrl !== undefined))
      return { nodeUrl, isDryRun, owner, verify, keyFile: values['key-file'] };
  } catch {
    // The error may quote an argument, which may be a key passed by mistake.
  }
  throw new Error(usage);
}

function signingKey(privateKey: string | undefined): SigningKey {
  if (!privateKey) throw new Error(usage);
  const digits = privateKey.trim().replace(/^0x/, '');
  if (!/^[0-9a-fA-F]{64}$/.test(digits)) throw new Error('The private key is not 32 bytes in hex');
  return new SigningKey(`0x${digits}`);
}
