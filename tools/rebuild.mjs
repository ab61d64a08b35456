// Makes a picture of past events anew in a running local world: npm run rebuild -- dashboard [--directory DIR]
import { runAppCommand } from './local/app-command.mjs';

await runAppCommand('merchant', 'rebuild');
