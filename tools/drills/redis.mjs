// Freezes Redis under load, kills it and deletes its data, and verifies that no order is lost: npm run drill:redis
import { runDrill } from './run-drill.mjs';

await runDrill(() => import('./redis/run.mjs'));
