// Kills the PostgreSQL primary twice under load, with Patroni, etcd and HAProxy, and verifies that no acknowledged data
// is lost: npm run drill:postgres
import { runDrill } from './run-drill.mjs';

await runDrill(() => import('./postgres/run.mjs'));
