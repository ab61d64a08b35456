// Compiles the TypeScript of the project in the current folder to dist/ with swc (types are checked by `npm run typecheck`).
import { compileProject } from './local/compile-project.mjs';

await compileProject(process.cwd());
