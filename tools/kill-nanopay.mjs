// Kills the processes of nano-payments while buyers pay. Verifies that no money is lost and that no payment is served
// twice.
//
// npm run kill:nanopay [-- --kills N --seed N --built]
import { runKillCommand } from './local/kill-command.mjs';

await runKillCommand(() => import('./bench/nanopay/kill/run.mjs'));
