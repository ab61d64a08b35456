// Writes the generated documentation from the declarations: npm run docs [-- --check]
import { writeOrCheck } from './generated-files.mjs';
import { flag, readOptions } from '../local/options.mjs';

readOptions({ check: flag });
// Imported here, because these files need the installed packages, but --help must work without them.
const { generate } = await import('./generated-docs.mjs');
writeOrCheck(await generate(), 'npm run docs');
const { writeGeneratedSources } = await import('../sdk/generated-sources.mjs');
writeGeneratedSources();
