import parts from './tools/checks/mutation-parts.cjs';

// Mutation tests of one part of the pure money code, as tools/mutation.mjs runs it. They change the code in small ways,
// one at a time, and run its unit tests: a change that no test notices "survives".
const part = process.env.MUTATION_PART;
export default {
  testRunner: 'jest',
  plugins: ['@stryker-mutator/jest-runner'],
  jest: { configFile: 'tools/checks/jest.mutation.cjs' },
  coverageAnalysis: 'perTest',
  mutate: [parts[part].mutate],
  // Texts of errors are compared where clients read them, by the tests of the routes.
  mutator: { excludedMutations: ['StringLiteral'] },
  ignorePatterns: ['/.tollbridge', '/coverage', '**/dist', 'libs/onchain/.forge'],
  tempDirName: '.stryker',
  reporters: ['json'],
  jsonReporter: { fileName: `coverage/mutation/${part}.json` },
  allowConsoleColors: false,
  timeoutMS: 20_000,
  concurrency: 2,
};
