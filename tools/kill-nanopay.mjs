// Kills what takes nano-payments while buyers pay, and looks whether money was lost or a payment served twice:
// npm run kill:nanopay [-- --kills N --seed N --built]
import { runKillCommand } from './local/kill-command.mjs';

await runKillCommand(() => import('../bench/nanopay/kill/run.mjs'));
