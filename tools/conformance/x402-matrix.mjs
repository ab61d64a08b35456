import { ed25519 } from '@noble/curves/ed25519';
import { base58 } from '@scure/base';
import { Contract, JsonRpcProvider, Wallet } from 'ethers';
import { randomBytes } from 'node:crypto';
import { createWriteStream, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { askNode } from '../local/evm-nodes.mjs';
import { repository } from '../local/directory.mjs';
import { runGroup } from './process-group.mjs';
import { usdcOfBase } from './x402-workspace.mjs';

const network = 'eip155:8453';
const clients = ['fetch', 'axios'];
const allServers = ['express', 'hono', 'fastify', 'tollbridge'];
const allFacilitators = ['typescript', 'tollbridge'];
// The harness waits without a limit for a facilitator that does not start.
const idleMs = 180_000;
const isStartFailure = /Process exited with code \d+ during startup/;
const isReason = /^\s+- Route "/;
const isProgress = /Test #\d+|Test passed|Test failed|Failed to start/;
const tokenAbi = ['function transfer(address to, uint256 amount) returns (bool)'];

/**
 * One payment: a client buys from a server, which uses a facilitator.
 * @typedef {object} Scenario
 * @property {string} client
 * @property {string} server
 * @property {string} facilitator
 * @property {string} endpoint
 * @property {boolean} passed
 * @property {string} [error]
 */

/**
 * Runs the official tests with a gateway as one of the facilitators.
 * @param {object} options
 * @param {Pick<Awaited<ReturnType<typeof import('./x402-workspace.mjs').prepareWorkspace>>, 'e2e' | 'programs' | 'tsx'>} options.workspace
 * @param {string} options.gateway
 * @param {string} options.rpcUrl of the local node of Base, with USDC at its real address
 * @param {string} options.payerKey private key of an account with USDC
 * @param {string} options.endpoints regular expression
 * @param {string} options.folder for results and logs
 * @param {(line: string) => void} options.onLine
 * @param {string[]} [options.servers]
 * @param {string[]} [options.facilitators]
 * @returns {Promise<Scenario[]>}
 */
export async function runMatrix({
  workspace,
  gateway,
  rpcUrl,
  payerKey,
  endpoints,
  folder,
  onLine,
  servers = allServers,
  facilitators = allFacilitators,
}) {
  const env = {
    ...process.env,
    ...(await accounts(rpcUrl, payerKey)),
    PATH: `${workspace.programs}:${process.env.PATH}`,
    BASE_RPC_URL: rpcUrl,
    EVM_RPC_URL: rpcUrl,
    EVM_NETWORK: network,
    // No Solana node runs, but the official participants need an address and keys to start.
    SOLANA_RPC_URL: 'http://127.0.0.1:9',
    TOLLBRIDGE_GATEWAY: gateway,
    TOLLBRIDGE_ROOT: repository,
  };
  mkdirSync(folder, { recursive: true });
  const scenarios = [];
  // A run for each pair, because a seller that does not start ends a whole run without results.
  for (const server of servers)
    for (const facilitator of facilitators)
      scenarios.push(...(await runPair({ workspace, env, endpoints, folder, onLine, server, facilitator })));
  return scenarios;
}

/** @param {any} options @returns {Promise<Scenario[]>} */
async function runPair({ workspace: { e2e, tsx }, env, endpoints, folder, onLine, server, facilitator }) {
  const name = join(folder, `${server}-${facilitator}`);
  const result = `${name}.json`;
  rmSync(result, { force: true });
  const log = createWriteStream(`${name}.log`);
  const args = ['test.ts', '--mainnet', '--transport=http', '--families=evm', '--versions=2', '-v'];
  const chosen = [`--clients=${clients}`, `--servers=${server}`, `--facilitators=${facilitator}`];
  const output = [`--endpoints=${endpoints}`, `--output-json=${result}`];
  let error = 'the tests ended without a result';
  await runGroup(process.execPath, [...tsx, ...args, ...chosen, ...output], {
    cwd: e2e,
    env,
    idleMs,
    onLine: (line) => {
      log.write(`${line}\n`);
      if (isProgress.test(line)) onLine(line);
      if (isReason.test(line)) error = `the seller did not start: ${line.replace(/^\s*- /, '')}`;
      return !isStartFailure.test(line);
    },
  });
  log.end();
  if (existsSync(result)) return readScenarios(readFileSync(result, 'utf8'));
  const config = JSON.parse(readFileSync(join(e2e, 'servers', server, 'test.config.json'), 'utf8'));
  return unstarted(config, endpoints).flatMap((endpoint) =>
    clients.map((client) => ({ client, server, facilitator, endpoint, passed: false, error })),
  );
}

/**
 * Returns the endpoints that would have run.
 * @param {{ endpoints: { path: string, requiresPayment?: boolean, protocolFamily?: string }[] }} config of a seller
 * @param {string} pattern value of `--endpoints`
 */
export const unstarted = ({ endpoints }, pattern) =>
  endpoints
    .filter(({ requiresPayment, protocolFamily }) => requiresPayment && protocolFamily === 'evm')
    .map(({ path }) => path)
    .filter((path) => new RegExp(`^${pattern}$`).test(path));

/** @param {string} json output of the official tests @returns {Scenario[]} in the order of execution */
export function readScenarios(json) {
  const { results } = JSON.parse(json);
  if (!Array.isArray(results) || results.length === 0) throw new Error('The official tests ran no scenario.');
  return results.map(({ client, server, facilitator, endpoint, passed, error, transaction }) => {
    const scenario = { client, server, facilitator, endpoint };
    // The official tests also pass a response without a payment.
    if (passed === true && transaction) return { ...scenario, passed: true };
    return { ...scenario, passed: false, error: String(error ?? 'no transaction was reported').trim() };
  });
}

/**
 * Creates accounts of the client, the sellers and the official facilitator.
 * @param {string} rpcUrl
 * @param {string} payerKey
 */
async function accounts(rpcUrl, payerKey) {
  const client = Wallet.createRandom();
  const facilitator = Wallet.createRandom();
  await askNode(rpcUrl, 'anvil_setBalance', [facilitator.address, `0x${(10n ** 18n).toString(16)}`]);
  await askNode(rpcUrl, 'anvil_setBalance', [client.address, `0x${(10n ** 16n).toString(16)}`]);
  const provider = new JsonRpcProvider(rpcUrl, 8453, { staticNetwork: true, cacheTimeout: -1 });
  try {
    const token = new Contract(usdcOfBase, tokenAbi, new Wallet(payerKey, provider));
    const { hash } = await token.getFunction('transfer').send(client.address, 100_000_000n);
    await provider.waitForTransaction(hash, 1, 30_000);
  } finally {
    provider.destroy();
  }
  return {
    CLIENT_EVM_PRIVATE_KEY: client.privateKey,
    CLIENT_SVM_PRIVATE_KEY: solanaKey(),
    FACILITATOR_EVM_PRIVATE_KEY: facilitator.privateKey,
    FACILITATOR_SVM_PRIVATE_KEY: solanaKey(),
    SERVER_EVM_ADDRESS: Wallet.createRandom().address,
    SERVER_SVM_ADDRESS: base58.encode(ed25519.getPublicKey(randomBytes(32))),
  };
}

/** Returns seed and public key, in the format that wallets of Solana export. */
function solanaKey() {
  const seed = randomBytes(32);
  return base58.encode(Buffer.concat([seed, ed25519.getPublicKey(seed)]));
}

/**
 * Returns the scenarios of a run. Pairs that were not run keep the scenarios of an earlier run.
 * @param {Scenario[]} scenarios @param {Scenario[]} earlier @returns {Scenario[]}
 */
export function withOthers(scenarios, earlier) {
  const pairOf = (/** @type {Scenario} */ { server, facilitator }) => `${server} ${facilitator}`;
  const again = new Set(scenarios.map(pairOf));
  return [...earlier.filter((scenario) => !again.has(pairOf(scenario))), ...scenarios];
}
