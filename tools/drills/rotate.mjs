// Replaces the secrets of a running sandbox while clients order, read, pay and buy, and prints what clients noticed:
// npm run drill:rotate
import { runDrill } from './run-drill.mjs';

await runDrill(() => import('./rotate/run.mjs'));
