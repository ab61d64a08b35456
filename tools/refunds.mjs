// Lists refunds that wait for an operator in the running sandbox, and decides them: npm run refunds -- list
import { runAppCommand } from './local/app-command.mjs';

await runAppCommand('pay-orders', 'refunds-command', { names: ['operator', 'reason'] });
