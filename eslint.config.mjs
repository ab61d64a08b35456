import nx from '@nx/eslint-plugin';
import tseslint from 'typescript-eslint';

// Who may import whom: libraries form layers, apps know libraries only, and one host starts all apps.
const layers = [
  { sourceTag: 'type:lib', onlyDependOnLibsWithTags: ['type:lib'] },
  { sourceTag: 'type:app', onlyDependOnLibsWithTags: ['type:lib'] },
  { sourceTag: 'type:host', onlyDependOnLibsWithTags: ['type:lib', 'type:app'] },
  { sourceTag: 'lib:money', onlyDependOnLibsWithTags: [] },
  { sourceTag: 'lib:config', onlyDependOnLibsWithTags: [] },
  { sourceTag: 'lib:api-keys', onlyDependOnLibsWithTags: ['lib:config'] },
  { sourceTag: 'lib:egress', onlyDependOnLibsWithTags: ['lib:testing'] },
  { sourceTag: 'lib:bus', onlyDependOnLibsWithTags: ['lib:money'] },
  { sourceTag: 'lib:api', onlyDependOnLibsWithTags: ['lib:bus', 'lib:money'] },
  { sourceTag: 'lib:data', onlyDependOnLibsWithTags: ['lib:bus'] },
];

const vague = 'manager|helper|util|utils|common|misc';

// What a test starts as its world, in its own process: the simulators of the sandbox, and the enclave, since one that is
// played would prove nothing.
const layersOfTests = [
  { sourceTag: 'type:app', onlyDependOnLibsWithTags: ['type:lib', 'app:sandbox', 'app:tee'] },
  ...layers.filter(({ sourceTag }) => sourceTag !== 'type:app'),
];
export default tseslint.config(
  {
    ignores: ['**/dist', '**/node_modules', '**/.nx', '**/.forge', '**/generated', '.tollbridge', 'coverage'],
  },
  ...tseslint.configs.recommended,
  {
    files: ['**/*.ts'],
    plugins: { '@nx': nx },
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@nx/enforce-module-boundaries': [
        'error',
        { depConstraints: layers, allow: [], checkDynamicDependenciesExceptions: ['.*'] },
      ],
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/no-explicit-any': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'max-lines-per-function': ['error', { max: 70, skipBlankLines: true, skipComments: true }],
      'no-restricted-syntax': [
        'error',
        {
          selector: `:matches(ClassDeclaration, FunctionDeclaration) > Identifier.id[name=/(^|[a-z])(${vague})$/i]`,
          message: 'Say what it is.',
        },
        {
          selector: 'CallExpression[callee.name="parseFloat"]',
          message: 'Money is exact: no floating point.',
        },
      ],
      eqeqeq: 'error',
      'no-console': 'error',
    },
  },
  {
    // SQL and TypeORM stay in repositories and migrations.
    files: ['apps/**/*.ts'],
    ignores: ['**/*.repository.ts', '**/*.entity.ts', '**/migrations/*.ts', '**/*.spec.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: ['typeorm', 'pg'].map((name) => ({
            name,
            message: 'Only *.repository.ts touches the database.',
          })),
        },
      ],
    },
  },
  {
    // Pure rules know no framework.
    files: [
      'apps/**/order.ts',
      'apps/**/payment.ts',
      'apps/**/api-key.ts',
      'apps/**/paylink.ts',
      'apps/**/transfer.ts',
    ],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: ['@nestjs/*', 'typeorm', 'pg', 'nats', '@tollbridge/data', '@tollbridge/service'] },
      ],
    },
  },
  {
    files: ['apps/*/src/testing/**/*.ts', 'apps/**/*.spec.ts'],
    rules: {
      '@nx/enforce-module-boundaries': [
        'error',
        { depConstraints: layersOfTests, allow: [], checkDynamicDependenciesExceptions: ['.*'] },
      ],
    },
  },
  {
    files: ['**/*.spec.ts', 'libs/testing/**'],
    rules: { 'max-lines-per-function': 'off' },
  },
  {
    files: ['**/*.{mjs,cjs}'],
    rules: { '@typescript-eslint/no-require-imports': 'off' },
  },
);
