// Deploys TollbridgePay to a Tron network:
// node scripts/deploy-tron.mjs <nodeUrl> [--key-file <path>] | --dry-run [<nodeUrl>] | <nodeUrl> --verify <address>
// Needs the built library: npx nx build onchain
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

try {
  const { runTronDeployCommand } = require('../dist/tron/deploy/command.js');
  await runTronDeployCommand(process.argv.slice(2), process.env, console.log);
} catch (error) {
  const notBuilt = error.code === 'MODULE_NOT_FOUND';
  console.error(notBuilt ? 'Build the library first: npx nx build onchain' : error.message);
  process.exitCode = 1;
}
