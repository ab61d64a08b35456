// Lists and retries events that could not be processed:
// npm run dead-letters [-- retry all | retry 1 2 …] [--directory DIR]
import { runAppCommand } from './local/app-command.mjs';

await runAppCommand('merchant', 'dead-letters', { names: ['operator', 'reason'] });
