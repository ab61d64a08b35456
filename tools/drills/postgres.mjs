// Kills the PostgreSQL primary under load twice, with Patroni, etcd and HAProxy, and verifies that nothing acknowledged
// is lost: npm run drill:postgres
import { runDrill } from './run-drill.mjs';

await runDrill(() => import('./postgres/run.mjs'));
