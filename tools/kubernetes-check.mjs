// Validates a production overlay before it is applied.
//
// npm run kubernetes:check -- [FOLDER] [--max-connections N] [--draft]
//
// FOLDER is an overlay with a folder `migrations` next to its kustomization.yaml. The default is the production
// overlay.
// `--max-connections` is the limit of your PostgreSQL. The default is from deploy/postgres/postgresql.conf.
// `--draft` accepts the placeholders of this repository.
import { flag, readOptions, wholeNumber } from './local/options.mjs';
import { prepare } from './local/prepare.mjs';

const { values, words } = readOptions({ 'max-connections': wholeNumber(), draft: flag }, { words: 1 });
// kubectl and the schemas are packages for tests, which `npm start` does not install.
await prepare();
const { checkOverlay } = await import('./kubernetes/check-command.mjs');
await checkOverlay({ folder: words[0], maxConnections: values['max-connections'], isDraft: values.draft });
