// Builds a project to its dist/ (`npm run lint` verifies types): node tools/build.mjs libs/contracts
import { resolve } from 'node:path';
import { buildProject } from './local/compile-project.mjs';
import { writeGeneratedSources } from './sdk/generated-sources.mjs';

const [project] = process.argv.slice(2);
if (!project) throw new Error('Name the folder of a project: node tools/build.mjs libs/contracts');
// Only these projects have generated sources.
if (/^libs\/(cli|sdk)$/.test(project)) writeGeneratedSources();
await buildProject(resolve(project));
