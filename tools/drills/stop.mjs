// Stops every app in turn by SIGTERM under load, alone and beside a second replica. Prints what clients noticed.
//
// npm run drill:stop
import { runDrill } from './run-drill.mjs';

await runDrill(() => import('./stop/run.mjs'));
