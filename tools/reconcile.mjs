// Lists payments on the chains that are not in the database of the running sandbox:
// npm run reconcile -- --since 2026-11-24T12:00:00Z
import { runAppCommand } from './local/app-command.mjs';

await runAppCommand('pay-orders', 'reconcile-command', { names: ['since'], flags: ['all', 'json'] });
