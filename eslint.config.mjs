import nx from '@nx/eslint-plugin';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';
import { exactAmounts } from './tools/lint/exact-amounts.mjs';

/** @param {string} source @param {string[]} targets tags */
const dependsOn = (source, ...targets) => ({ sourceTag: source, onlyDependOnLibsWithTags: targets });

// Which layer of libraries imports which (docs/architecture.md). Apps import libraries only; one host starts all apps.
const libraryLayers = [
  dependsOn('layer:domain', 'layer:domain'),
  dependsOn('layer:onchain', 'layer:onchain'),
  dependsOn('layer:nanopay', 'layer:nanopay'),
  dependsOn('layer:platform', 'layer:platform', 'layer:domain'),
  dependsOn('layer:contracts', 'lib:rpc', 'lib:money'),
  dependsOn('layer:bootstrap', 'layer:platform', 'layer:contracts', 'layer:nanopay'),
  dependsOn(
    'layer:chain-adapters',
    'layer:domain',
    'layer:platform',
    'layer:onchain',
    'layer:nanopay',
    'lib:chain-port',
    'lib:chain-nodes',
    // Tron's nodes speak the JSON-RPC of EVM chains beside their own interface.
    'lib:evm',
  ),
  dependsOn('lib:chain-port', 'layer:domain'),
  dependsOn('lib:chain-nodes', 'layer:platform'),
  dependsOn('layer:chain-families', 'layer:chain-adapters', 'layer:domain', 'layer:platform'),
  dependsOn('layer:integrations', 'layer:domain', 'layer:platform', 'layer:chain-adapters', 'layer:onchain'),
  dependsOn(
    'layer:auth',
    ...['domain', 'platform', 'contracts', 'chain-adapters', 'onchain'].map((it) => `layer:${it}`),
  ),
  // Published for any program: it needs nothing of this repository.
  dependsOn('layer:sdk'),
  dependsOn('layer:cli', 'layer:sdk', 'layer:nanopay'),
  dependsOn('lib:money'),
  dependsOn('lib:config'),
  dependsOn('lib:egress'),
  dependsOn('lib:rpc', 'lib:money'),
  dependsOn('lib:database', 'lib:rpc', 'lib:config'),
  dependsOn('lib:api-keys', 'lib:config'),
];
const hostLayer = dependsOn('type:host', 'type:lib', 'type:app');
const productLayers = [
  dependsOn('type:lib', 'type:lib'),
  dependsOn('type:app', 'type:lib'),
  // Local chains, simulators' contracts and test servers stay out of what is deployed.
  { sourceTag: 'scope:production', notDependOnLibsWithTags: ['layer:dev'] },
  hostLayer,
  ...libraryLayers,
];

// Tests start real dependencies in their own process: servers and chains of libs/dev, simulators of the sandbox, and
// the payment ledger service, which a fake could not stand for.
const testLayers = [
  dependsOn('type:lib', 'type:lib'),
  dependsOn('type:app', 'type:lib', 'app:sandbox', 'app:tee'),
  hostLayer,
];

// Files with numbers other than money, under a name that money/exact-amounts takes for an amount.
const numbersNamedLikeAmounts = [
  'apps/sandbox/src/cards/test-number.ts', // digits of a checksum
  'apps/sandbox/src/mail/mail.repository.ts', // a count of mails
  'apps/sandbox/src/across/read-approval-request.ts', // a query parameter
  'apps/sandbox/src/oneclick/read-quote-request.ts', // basis points
  'apps/sandbox/src/oneclick/swap.ts', // basis points
  'apps/tee/src/ledger/storage/bigint-array.ts', // an index
  'libs/domain/chains/src/addresses/cardano-byron.ts', // a byte
  'libs/integrations/routing/src/across/across.wire.ts', // a time
  'libs/platform/config/src/settings.ts', // a setting
];
// Files that read or write a provider's JSON numbers, or show one to a person; they compute nothing with them.
const providerNumbers = [
  'apps/web/src/dashboard/pages/overview/volume-chart.tsx', // heights of bars
  'apps/sandbox/src/defillama/defillama.routes.ts',
  'apps/sandbox/src/oneclick/oneclick.routes.ts',
  'apps/sandbox/src/ton/toncenter-transactions.wire.ts',
  'apps/service-api/src/cards/laso/laso.wire.ts',
];

// These files build or sign EVM transactions, although they are outside of the folder of the chain family.
const evmTransactions = [
  'apps/merchant/src/payments/options/instructions.ts', // `approve` and `pay` of the reply
  'apps/pay-orders/src/refunds/refund-transactions.repository.ts', // the signed transfer of a refund
  'apps/pay-orders/src/refunds/settings.ts', // its keys
];

const vague = 'manager|helper|util|utils|common|misc';

const restrictedSyntax = [
  {
    selector: `:matches(ClassDeclaration, FunctionDeclaration) > Identifier.id[name=/(^|[a-z])(${vague})$/i]`,
    message: 'Say what it is.',
  },
  {
    selector: 'CallExpression[callee.name="parseFloat"]',
    message: 'Money is exact: no floating point.',
  },
  {
    // Joined as a nested loop, the subquery runs for each row, and skips the rows that the statement has changed
    // already.
    selector: 'TemplateElement[value.raw=/\\bIN\\s*\\(\\s*SELECT[^]*\\bSKIP LOCKED/]',
    message: 'The limit may be exceeded: write `= ANY(ARRAY(SELECT … SKIP LOCKED))`, or a WITH.',
  },
];
const restrictedInSources = [
  ...restrictedSyntax,
  {
    selector: 'CallExpression[callee.property.name="subscribe"][callee.object.property.name="nats"]',
    message: 'nats.js forgets a subscription that the server rejects: use LastingSubscription.',
  },
];
const tooManyDependencies = {
  selector: 'MethodDefinition[kind="constructor"] > FunctionExpression[params.length>7]',
  message: 'A class has at most seven dependencies: divide it by its responsibilities.',
};

export default tseslint.config(
  {
    ignores: [
      '**/dist',
      '**/node_modules',
      '**/.nx',
      '**/.forge',
      '**/generated',
      '.tollbridge',
      'coverage',
      '.stryker',
    ],
  },
  ...tseslint.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    plugins: { '@nx': nx },
    rules: {
      '@nx/enforce-module-boundaries': [
        'error',
        { depConstraints: productLayers, allow: [], checkDynamicDependenciesExceptions: ['.*'] },
      ],
      '@typescript-eslint/no-explicit-any': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'max-lines-per-function': ['error', { max: 70, skipBlankLines: true, skipComments: true }],
      'no-restricted-syntax': ['error', ...restrictedSyntax],
      eqeqeq: 'error',
      'no-console': 'error',
    },
  },
  {
    files: ['{apps,libs}/**/*.ts'],
    ignores: ['**/*.spec.ts', '**/testing/**', 'libs/platform/rpc/src/bus/lasting-subscription.ts'],
    rules: { 'no-restricted-syntax': ['error', ...restrictedInSources, tooManyDependencies] },
  },
  {
    // Amounts are never numbers: bigint in the smallest unit, or Decimal of libs/domain/money.
    files: ['**/*.{ts,tsx}'],
    ignores: ['**/*.spec.ts', '{apps,libs}/**/testing/**', ...numbersNamedLikeAmounts, ...providerNumbers],
    plugins: { money: { rules: { 'exact-amounts': exactAmounts } } },
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: { 'money/exact-amounts': 'error' },
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
    // Payments ask the port of `libs/chain-adapters`: only folders of a chain family know the family.
    files: ['apps/{merchant,pay-orders}/src/**/*.ts'],
    ignores: ['**/evm/**', '**/solana/**', '**/*.spec.ts', '**/testing/**', ...evmTransactions],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          paths: [
            '@tollbridge/evm',
            '@tollbridge/solana',
            '@tollbridge/sui',
            '@tollbridge/ton',
            '@tollbridge/ton/payments',
            '@tollbridge/tron',
            'ethers',
            'tonweb',
          ].map((name) => ({
            name,
            message: 'Ask the port of @tollbridge/chain-port, or @tollbridge/chains for what needs no node.',
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
        { patterns: ['@nestjs/*', 'typeorm', 'pg', 'nats', '@tollbridge/database', '@tollbridge/bootstrap'] },
      ],
    },
  },
  {
    files: ['{apps,libs}/**/testing/**/*.ts', '{apps,libs}/**/*.spec.ts', 'libs/dev/**/*.ts'],
    rules: {
      '@nx/enforce-module-boundaries': [
        'error',
        { depConstraints: testLayers, allow: [], checkDynamicDependenciesExceptions: ['.*'] },
      ],
    },
  },
  {
    files: ['**/*.spec.ts', 'libs/dev/testing/**'],
    rules: { 'max-lines-per-function': 'off' },
  },
  { files: ['apps/web/**/*.{ts,tsx}'], ...reactHooks.configs.flat.recommended },
  {
    files: ['**/*.{mjs,cjs}'],
    rules: { '@typescript-eslint/no-require-imports': 'off' },
  },
);
