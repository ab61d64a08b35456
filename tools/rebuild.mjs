// Rebuilds a projection of past events in the running sandbox: npm run rebuild -- dashboard [--directory DIR]
import { runAppCommand } from './local/app-command.mjs';

await runAppCommand('merchant', 'rebuild', { names: ['operator', 'reason'] });
