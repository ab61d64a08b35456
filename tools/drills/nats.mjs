// Kills and freezes each of three NATS servers while orders are created and paid, and verifies that no event is lost: npm run drill:nats
import { runDrill } from './run-drill.mjs';

await runDrill(() => import('./nats/run.mjs'));
