// Kills the processes of orders while clients create and pay orders on chains of all families. Verifies that every paid
// order is settled, and that every event is processed once.
//
// npm run kill:orders [-- --kills N --seed N --families evm,ton,solana,tron,sui --built]
import { runKillCommand } from './local/kill-command.mjs';
import { text } from './local/options.mjs';

await runKillCommand(() => import('./bench/kill-orders/run.mjs'), { families: text() });
