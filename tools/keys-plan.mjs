// Lets operators set the plan of an API key: npm run keys:plan -- KEY PLAN --reason TEXT (tools/README.md)
import { runKeysPlan } from './local/keys-plan-command.mjs';

await runKeysPlan();
