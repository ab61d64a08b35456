// Counts, or with --apply erases, a person's data in the running sandbox: npm run erase -- --phone +15551234567
import { runAppCommand } from './local/app-command.mjs';

// Every schema that may hold data of a person. A second run continues where a failed one stopped.
const options = { names: ['phone', 'email', 'exact', 'reason', 'operator'], flags: ['apply'] };
for (const app of ['service-api', 'merchant', 'pay-orders'])
  if (!(await runAppCommand(app, 'erase', options))) break;
