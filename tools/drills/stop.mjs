// Stops each app in turn with SIGTERM under load, first alone and then with a second replica. Prints the failures that
// clients saw.
//
// npm run drill:stop
import { runDrill } from './run-drill.mjs';

await runDrill(() => import('./stop/run.mjs'));
