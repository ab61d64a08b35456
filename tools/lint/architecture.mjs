import nx from '@nx/eslint-plugin';
import { exactAmounts } from './exact-amounts.mjs';

/**
 * A rule that reports each syntax node of a selector.
 * @param {string} selector
 * @param {string} message
 * @returns {import('oxlint/plugins-dev').Rule}
 */
const forbidden = (selector, message) => ({
  meta: { type: 'problem', messages: { forbidden: message }, schema: [] },
  create: (context) => ({ [selector]: (node) => context.report({ node, messageId: 'forbidden' }) }),
});

/** The same for each import, or export of another module. @param {string} names @param {string} message */
const forbiddenModules = (names, message) =>
  forbidden(
    `:matches(ImportDeclaration, ImportExpression, ExportNamedDeclaration, ExportAllDeclaration)[source.value=/^(${names})$/]`,
    message,
  );

const vague = 'manager|helper|util|utils|common|misc';

/** The rules of docs/architecture.md that a linter can check; .oxlintrc.json has the files of each. */
export default {
  meta: { name: 'architecture' },
  rules: {
    'exact-amounts': exactAmounts,
    layers: nx.rules['enforce-module-boundaries'],
    'specific-names': forbidden(
      `:matches(ClassDeclaration, FunctionDeclaration) > Identifier.id[name=/(^|[a-z])(${vague})$/i]`,
      'Say what it is.',
    ),
    'no-parse-float': forbidden(
      'CallExpression[callee.name="parseFloat"]',
      'Money is exact: no floating point.',
    ),
    // Joined as a nested loop, the subquery runs for each row, and skips the rows that the statement has changed
    // already.
    'skip-locked-once': forbidden(
      'TemplateElement[value.raw=/\\bIN\\s*\\(\\s*SELECT[^]*\\bSKIP LOCKED/]',
      'The limit may be exceeded: write `= ANY(ARRAY(SELECT … SKIP LOCKED))`, or a WITH.',
    ),
    'lasting-subscriptions': forbidden(
      'CallExpression[callee.property.name="subscribe"][callee.object.property.name="nats"]',
      'nats.js forgets a subscription that the server rejects: use LastingSubscription.',
    ),
    'few-dependencies': forbidden(
      'MethodDefinition[kind="constructor"] > FunctionExpression[params.length>7]',
      'A class has at most seven dependencies: divide it by its responsibilities.',
    ),
    'sql-in-repositories': forbiddenModules('typeorm|pg', 'Only *.repository.ts touches the database.'),
    'chains-by-port': forbiddenModules(
      '@tollbridge\\/(evm|solana|sui|ton|ton\\/payments|tron)|ethers|tonweb',
      'Ask the port of @tollbridge/chain-port, or @tollbridge/chains for what needs no node.',
    ),
    'pure-rules': forbiddenModules(
      '@nestjs\\/.*|typeorm|pg|nats|@tollbridge\\/(database|bootstrap)',
      'Rules of the domain import no framework.',
    ),
  },
};
