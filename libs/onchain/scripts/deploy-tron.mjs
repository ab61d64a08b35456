// Deploys TollbridgePay to a Tron network:
// node scripts/deploy-tron.mjs <nodeUrl> [--key-file <path>] | --dry-run [<nodeUrl>] | <nodeUrl> --verify <address>
// Needs the built library: npx nx build onchain
import { runBuiltCommand } from './built-command.mjs';

await runBuiltCommand('tron/deploy/command.js', ({ runTronDeployCommand }) =>
  runTronDeployCommand(process.argv.slice(2), process.env, console.log),
);
