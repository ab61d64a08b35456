// Kills the processes of orders while clients create and pay them, and verifies that every event is handled once: npm run kill:orders [-- --kills N --seed N --built]
import { runKillCommand } from './local/kill-command.mjs';

await runKillCommand(() => import('../bench/kill-orders/run.mjs'));
