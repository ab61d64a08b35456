// Deploys TollbridgePay to one EVM chain, or finds it there:
// node scripts/deploy.mjs <rpcUrl> [--key-file <path>]
// Needs the built library: npx nx build onchain
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

try {
  const { runDeployCommand } = require('../dist/deploy-command.js');
  console.log(await runDeployCommand(process.argv.slice(2), process.env));
} catch (error) {
  const notBuilt = error.code === 'MODULE_NOT_FOUND';
  console.error(notBuilt ? 'Build the library first: npx nx build onchain' : error.message);
  process.exitCode = 1;
}
