// What operators did in the running sandbox: npm run audit-log [-- --operator NAME --action ACTION --since DATE --json]
import { runAppCommand } from './local/app-command.mjs';

for (const app of ['merchant', 'pay-orders', 'service-api']) await runAppCommand(app, 'audit-log');
