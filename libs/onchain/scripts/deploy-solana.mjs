// Deploys the Solana payment program to one cluster, unless it exists there:
// node scripts/deploy-solana.mjs <rpcUrl> --key-file <path>
// node scripts/deploy-solana.mjs --dry-run [--deployer <address>]
// Needs the built library: npx nx build onchain
import { runBuiltCommand } from './built-command.mjs';

await runBuiltCommand('solana/deployment/deploy-command.js', async ({ runSolanaDeployCommand }) =>
  console.log(await runSolanaDeployCommand(process.argv.slice(2))),
);
