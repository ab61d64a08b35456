// Lists the actions of operators in the running sandbox: npm run audit-log [-- --operator NAME --action ACTION --since
// DATE --json]
import { runAppCommand } from './local/app-command.mjs';

const options = { names: ['operator', 'action', 'target', 'since', 'limit'], flags: ['json'] };
for (const app of ['merchant', 'pay-orders', 'service-api']) await runAppCommand(app, 'audit-log', options);
