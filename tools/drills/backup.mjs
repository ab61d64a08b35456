// Destroys the database under load, restores a moment before that from a backup, and verifies what came back.
// npm run drill:backup
import { runDrill } from './run-drill.mjs';

await runDrill(() => import('./backup/run.mjs'));
