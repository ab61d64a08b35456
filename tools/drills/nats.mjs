// Freezes and kills NATS servers and apps while orders are created and paid, and verifies that calls recover.
// npm run drill:nats
import { runDrill } from './run-drill.mjs';

await runDrill(() => import('./nats/run.mjs'), {
  // The types of deployment: one server, and a cluster of three.
  shapes: 'single,cluster',
  // Process names, or `servers` and `apps` for all of them.
  targets: 'servers,apps',
  seconds: '3,12,60',
  clients: '4',
});
