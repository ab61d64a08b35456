// Deploys TollbridgePay to one EVM chain, unless it exists there: node scripts/deploy.mjs <rpcUrl> [--key-file <path>]
// Needs the built library: npx nx build onchain
import { runBuiltCommand } from './built-command.mjs';

await runBuiltCommand('deploy-command.js', async ({ runDeployCommand }) =>
  console.log(await runDeployCommand(process.argv.slice(2), process.env)),
);
