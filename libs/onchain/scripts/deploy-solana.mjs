// Deploys the Solana payment program to one cluster, or finds it there:
// node scripts/deploy-solana.mjs <rpcUrl> --key-file <path>
// node scripts/deploy-solana.mjs --dry-run [--deployer <address>]
// Needs the built library: npx nx build onchain
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

try {
  const { runSolanaDeployCommand } = require('../dist/solana/deployment/deploy-command.js');
  console.log(await runSolanaDeployCommand(process.argv.slice(2)));
} catch (error) {
  const notBuilt = error.code === 'MODULE_NOT_FOUND';
  console.error(notBuilt ? 'Build the library first: npx nx build onchain' : error.message);
  process.exitCode = 1;
}
