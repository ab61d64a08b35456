// Runs apps of the previous and the current release together while payments are in progress.
// npm run drill:mixed-versions [-- --from <commit or tag>]
import { runDrill } from './run-drill.mjs';

await runDrill(() => import('./mixed-versions/run.mjs'), { from: undefined });
