// Runs apps of the previous release beside those of this one, with payments under way.
// npm run drill:mixed-versions [-- --from <commit or tag>]
import { runDrill } from './run-drill.mjs';

await runDrill(() => import('./mixed-versions/run.mjs'), { from: undefined });
