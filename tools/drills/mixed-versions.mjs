// Runs apps of the previous release beside those of this one, with payments under way: npm run drill:mixed-versions [-- --from <commit or tag>]
import { runDrill } from './run-drill.mjs';

const place = process.argv.indexOf('--from');
const [, from] = place < 0 ? [] : process.argv.splice(place, 2);

await runDrill(async () => {
  const { run } = await import('./mixed-versions/run.mjs');
  return { run: (options) => run({ ...options, from }) };
});
