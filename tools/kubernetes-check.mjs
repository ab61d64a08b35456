// Checks an overlay for production before it is applied: npm run kubernetes:check -- [FOLDER] [--max-connections N] [--draft]
import { runTypedCommand } from './local/command.mjs';
import { prepare } from './local/prepare.mjs';

const usage = `Usage: npm run kubernetes:check -- [FOLDER] [--max-connections N] [--draft]

  FOLDER             an overlay with a folder \`migrations\` beside its kustomization.yaml; the production overlay by default
  --max-connections  of your PostgreSQL; by default that of deploy/postgres/postgresql.conf
  --draft            accepts the placeholders of this repository`;

await runTypedCommand(usage, async () => {
  // kubectl and the schemas are packages of the tests, which `npm start` does not install.
  await prepare();
  const { checkOverlay } = await import('./kubernetes/check-command.mjs');
  await checkOverlay(process.argv.slice(2));
});
