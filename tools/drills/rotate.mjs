// Replaces the secrets of a running sandbox while clients order, read, pay and buy, and prints the failures that
// clients saw: npm run drill:rotate
import { runDrill } from './run-drill.mjs';

await runDrill(() => import('./rotate/run.mjs'));
