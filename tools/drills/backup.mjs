// Destroys the database under load, restores it from a backup to an earlier time, and verifies the result:
// npm run drill:backup
import { runDrill } from './run-drill.mjs';

await runDrill(() => import('./backup/run.mjs'));
