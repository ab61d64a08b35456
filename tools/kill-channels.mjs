// Kills the processes of a seller, of the payment ledger and of its database while channels are open. Verifies that
// every served request is charged exactly once, and that nothing else is charged.
//
// npm run kill:channels [-- --kills N --seed N --built --full-disk]
//
// `--full-disk` stores the logs on a disk of a few megabytes and fills it repeatedly.
import { runKillCommand } from './local/kill-command.mjs';
import { flag } from './local/options.mjs';

await runKillCommand(() => import('./bench/nanopay/kill-channels/run.mjs'), {
  'full-disk': flag,
});
