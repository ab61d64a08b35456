import { createRequire } from 'node:module';
import { Problem } from './problem.mjs';
import { restoreChain } from './chain-state.mjs';
import { tronChainId } from './networks.mjs';

const require = createRequire(import.meta.url);

/** The chain ids of Base and Arbitrum. There are two chains, so that payments between chains are possible. */
export const chainIds = [8453, 42161];

/** The chain ids of all nodes that may run: EVM chains and Tron. */
export const nodeIds = [...chainIds, tronChainId];

// Old states are needed only for reorganisations. By default anvil keeps 1,500 of them, each with all block hashes,
// which needs gigabytes after a day. It honours this setting only without --block-time, so chain-clock.mjs requests the
// blocks.
const keptStates = 80;

/** @param {number} chainId */
export const nodeName = (chainId) => `anvil-${chainId}`;

/** @param {number} port */
export const nodeUrl = (port) => `http://127.0.0.1:${port}`;

/**
 * @param {object} options
 * @param {import('./directory.mjs').Directory} options.directory
 * @param {number} options.chainId
 * @param {number} options.port
 * @returns {import('./supervisor.mjs').ChildPlan}
 */
export function evmNodePlan({ directory, chainId, port }) {
  const folder = directory.privateFolder('evm');
  return {
    name: nodeName(chainId),
    async command() {
      const state = await restoreChain(folder, chainId);
      const args = ['--host', '127.0.0.1', '--port', String(port), '--chain-id', String(chainId), '--quiet'];
      const memory = ['--prune-history', String(keptStates), '--cache-path', folder];
      const program = anvilProgram();
      return {
        program,
        args: [...args, ...memory, ...(state ? ['--load-state', state] : [])],
        env: { HOME: folder },
      };
    },
    isReady: async () => Number(await askNode(nodeUrl(port), 'eth_chainId')) === chainId,
  };
}

/** Returns the program itself, because its npm wrapper would be an additional process to supervise. */
function anvilProgram() {
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
  const name = `@foundry-rs/anvil-${process.platform}-${architecture}/bin/anvil`;
  try {
    return require.resolve(name);
  } catch {
    throw new Problem(
      `There is no local EVM node for ${process.platform} on ${process.arch}. Use Linux on x64.`,
    );
  }
}

/**
 * @param {string} url
 * @param {string} method
 * @param {unknown[]} params
 * @returns {Promise<any>}
 */
export async function askNode(url, method, params = []) {
  const { result, error } = await post(url, { jsonrpc: '2.0', id: 1, method, params });
  if (error) throw new Error(`${method}: ${error.message}`);
  return result;
}

/**
 * Makes several calls in one request.
 * @param {string} url
 * @param {[string, unknown[]][]} questions
 * @returns {Promise<any[]>} the replies in the order of the calls
 */
export async function askNodeAll(url, questions) {
  const requests = questions.map(([method, params], id) => ({ jsonrpc: '2.0', id, method, params }));
  const replies = await post(url, requests);
  const failed = replies.find((/** @type {any} */ { error }) => error);
  if (failed) throw new Error(`${questions[failed.id][0]}: ${failed.error.message}`);
  const answers = new Map(replies.map((/** @type {any} */ { id, result }) => [id, result]));
  return questions.map((_, id) => answers.get(id));
}

/** @param {string} url @param {unknown} body @returns {Promise<any>} */
async function post(url, body) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    // Limits the wait for a node that is restarting.
    signal: AbortSignal.timeout(30_000),
  });
  return response.json();
}
