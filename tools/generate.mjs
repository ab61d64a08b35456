// Generates the source files that git ignores, as every build does: node tools/generate.mjs
import { writeGeneratedSources } from './sdk/generated-sources.mjs';

writeGeneratedSources();
