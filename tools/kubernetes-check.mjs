// Checks an overlay for production before it is applied.
//
// npm run kubernetes:check -- [FOLDER] [--max-connections N] [--draft]
//
// FOLDER is an overlay with a folder `migrations` beside its kustomization.yaml; the production overlay by default.
// `--max-connections` is that of your PostgreSQL, by default that of deploy/postgres/postgresql.conf.
// `--draft` accepts the placeholders of this repository.
import { flag, readOptions, wholeNumber } from './local/options.mjs';
import { prepare } from './local/prepare.mjs';

const { values, words } = readOptions({ 'max-connections': wholeNumber(), draft: flag }, { words: 1 });
// kubectl and the schemas are packages of the tests, which `npm start` does not install.
await prepare();
const { checkOverlay } = await import('./kubernetes/check-command.mjs');
await checkOverlay({ folder: words[0], maxConnections: values['max-connections'], isDraft: values.draft });
