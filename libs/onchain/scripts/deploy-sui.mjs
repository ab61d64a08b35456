// Publishes the payment module to Sui, immutable: node scripts/deploy-sui.mjs <rpcUrl> [--key-file <path>]
// Without a node and a key: node scripts/deploy-sui.mjs --dry-run
// Needs the built library: npx nx build onchain
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

try {
  const { runSuiDeployCommand } = require('../dist/sui/deploy-sui-command.js');
  console.log(await runSuiDeployCommand(process.argv.slice(2), process.env, console.log));
} catch (error) {
  const notBuilt = error.code === 'MODULE_NOT_FOUND';
  console.error(notBuilt ? 'Build the library first: npx nx build onchain' : error.message);
  process.exitCode = 1;
}
