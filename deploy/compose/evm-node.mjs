// Runs a local EVM node that stores its chain in /chain: anvil, and the clock that mines its blocks and saves its
// state.
import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { ChainClock } from '../../tools/local/chain-clock.mjs';
import { askNode, evmNodePlan } from '../../tools/local/evm-nodes.mjs';

const { CHAIN_ID, CHAIN_FOLDER = '/chain', EVM_PORT = '8545' } = process.env;
const chainId = Number(CHAIN_ID);
const port = Number(EVM_PORT);
if (!Number.isSafeInteger(chainId) || chainId <= 0)
  throw new Error('CHAIN_ID must be the number of the chain');

const plan = evmNodePlan({ directory: { privateFolder: () => CHAIN_FOLDER }, chainId, port });
const { program, args, env } = await plan.command();
// Other containers must reach the node. docker-compose.yml decides which ports are published.
const everywhere = args.map((argument) => (argument === '127.0.0.1' ? '0.0.0.0' : argument));
const node = spawn(program, everywhere, { env, stdio: 'inherit' });
const ended = new Promise((resolve) => node.once('exit', (code) => resolve(code ?? 1)));

const clock = new ChainClock({ url: `http://127.0.0.1:${port}`, chainId, folder: CHAIN_FOLDER });
let isStopping = false;
async function stop() {
  if (isStopping) return;
  isStopping = true;
  // The clock stops first, because it saves the current state of the chain.
  await clock.stop();
  node.kill('SIGTERM');
}
process.on('SIGTERM', stop);
process.on('SIGINT', stop);

void untilReady().then(() => isStopping || clock.start());
const code = await ended;
process.exit(isStopping ? 0 : code);

async function untilReady() {
  while (!isStopping) {
    if (await askNode(`http://127.0.0.1:${port}`, 'eth_chainId').catch(() => undefined)) return;
    await sleep(100);
  }
}
