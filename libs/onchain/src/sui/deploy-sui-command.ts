import { parseArgs } from 'node:util';
import { readKeyFile } from '../key-file';
import {
  tollbridgePaySuiCompiler,
  tollbridgePaySuiDigest,
  tollbridgePaySuiModule,
} from '../generated/tollbridge-pay-sui';
import { deploySuiPay, verifySuiDeployment, type SuiDeployment, type SuiQuery } from './deploy-sui';
import { encodeSuiPublish } from './sui-calls';
import { SuiSigner } from './sui-transaction';

const usage =
  'Usage: node scripts/deploy-sui.mjs --dry-run\n' +
  '       node scripts/deploy-sui.mjs <graphqlUrl> [--key-file <path>]\n' +
  '       node scripts/deploy-sui.mjs <graphqlUrl> --verify <digest of the transaction>\n' +
  'The private key comes from that file, or else from the environment variable SUI_DEPLOYER_PRIVATE_KEY.';

const timeoutMs = 15_000;

/** The command of scripts/deploy-sui.mjs. Returns the text to print. Neither the text nor an error contains the key. */
export async function runSuiDeployCommand(
  args: string[],
  env: NodeJS.ProcessEnv,
  print: (line: string) => void,
): Promise<string> {
  const { rpcUrl, keyFile, isDryRun, digest } = parseCommandLine(args);
  if (isDryRun) return describePackage();
  const query = graphql(rpcUrl);
  if (digest !== undefined) return describe(await verifySuiDeployment(query, digest));
  const key = keyFile === undefined ? env['SUI_DEPLOYER_PRIVATE_KEY'] : readKeyFile(keyFile);
  if (!key) throw new Error(usage);
  const announce = (sent: string) =>
    print(`Sending the transaction ${sent}. If no answer comes, run --verify with it.`);
  return describe(await deploySuiPay(query, new SuiSigner(key), announce));
}

function parseCommandLine(args: string[]) {
  try {
    const options = {
      'dry-run': { type: 'boolean' },
      'key-file': { type: 'string' },
      verify: { type: 'string' },
    } as const;
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const isDryRun = values['dry-run'] === true;
    const rpcUrl = positionals[0] ?? '';
    if (isDryRun ? args.length === 1 : positionals.length === 1 && rpcUrl !== '')
      return { rpcUrl, keyFile: values['key-file'], isDryRun, digest: values.verify };
  } catch {
    // The error may quote an argument, which may be a key passed by mistake.
  }
  throw new Error(usage);
}

/** The dry run, which needs neither a node nor a key. */
function describePackage(): string {
  return [
    `Package tollbridge, module pay: ${Buffer.from(tollbridgePaySuiModule, 'base64').length} bytes`,
    `Compiled by Sui ${tollbridgePaySuiCompiler}, digest ${tollbridgePaySuiDigest}`,
    'The transaction publishes it and destroys its UpgradeCap. Its kind, in base64:',
    Buffer.from(encodeSuiPublish()).toString('base64'),
  ].join('\n');
}

const describe = ({ packageId, registryId, registryVersion, digest, checkpoint }: SuiDeployment): string =>
  [
    `Package ${packageId}, immutable`,
    `Registry ${registryId}, shared at version ${registryVersion}`,
    `Published by the transaction ${digest} in checkpoint ${checkpoint}`,
    'For CHAINS_FILE:',
    JSON.stringify({
      payContract: packageId,
      payRegistry: { id: registryId, version: Number(registryVersion) },
      startHeight: checkpoint,
    }),
  ].join('\n');

/** Queries a node. Errors contain the node's messages, but not the URL, which may contain an access token. */
function graphql(url: string): SuiQuery {
  return async (query, variables) => {
    const body = JSON.stringify({ query, variables });
    const headers = { 'content-type': 'application/json' };
    const signal = AbortSignal.timeout(timeoutMs);
    const reply = await fetch(url, { method: 'POST', headers, body, signal })
      .then((response) => response.json() as Promise<{ data?: unknown; errors?: { message: string }[] }>)
      .catch(() => {
        throw new Error('The node did not answer');
      });
    if (reply.errors?.length)
      throw new Error(
        `The node rejected the query: ${reply.errors.map(({ message }) => message).join('; ')}`,
      );
    if (!reply.data) throw new Error('The node answered without data');
    return reply.data;
  };
}
