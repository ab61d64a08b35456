// Writes the sources that git ignores, as every build does: node tools/generate.mjs
import { writeGeneratedSources } from './sdk/generated-sources.mjs';

writeGeneratedSources();
