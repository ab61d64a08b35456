// Publishes the payment module to Sui, immutable: node scripts/deploy-sui.mjs <graphqlUrl> [--key-file <path>]
// Without a node and a key: node scripts/deploy-sui.mjs --dry-run
// Needs the built library: npx nx build onchain
import { runBuiltCommand } from './built-command.mjs';

await runBuiltCommand('sui/deploy-sui-command.js', async ({ runSuiDeployCommand }) =>
  console.log(await runSuiDeployCommand(process.argv.slice(2), process.env, console.log)),
);
