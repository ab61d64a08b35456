// Kills what creates and consumes orders while clients create and pay them, and checks that no event was lost or handled
// twice: npm run kill:orders [-- --kills N --seed N --built]
import { runKillCommand } from './local/kill-command.mjs';

await runKillCommand(() => import('../bench/kill-orders/run.mjs'));
