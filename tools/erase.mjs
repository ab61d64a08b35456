// Counts, or with --apply erases, a person's data in the running sandbox: npm run erase -- --phone +15551234567
import { runAppCommand } from './local/app-command.mjs';

// Runs for every schema that may contain data of a person. After a failure, a second run continues.
const options = { names: ['phone', 'email', 'exact', 'reason', 'operator'], flags: ['apply'] };
for (const app of ['service-api', 'merchant', 'pay-orders'])
  if (!(await runAppCommand(app, 'erase', options))) break;
