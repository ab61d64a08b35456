// Sets the plan of an API key, for operators: npm run keys:plan -- KEY PLAN --reason TEXT (tools/README.md)
import { runKeysPlan } from './local/keys-plan-command.mjs';

await runKeysPlan();
