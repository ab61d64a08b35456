import ts from 'typescript';
import { expressionType } from './expression-type.mjs';

/** Names of money values, such as `amountAtomic`, `feeUsd`, `price`, `row.total`. */
const moneyName = /(amount|atomic|usd|price|fee|fees|balance|total|value)$/i;
const floatParsers = new Set(['Number', 'parseFloat']);
const arithmetic = new Set(['+', '-', '*', '/', '%', '**']);

/** Returns the name of an identifier or of the last property, or undefined for other expressions. */
function nameOf(node) {
  switch (node.type) {
    case 'Identifier':
      return node.name;
    case 'MemberExpression':
      return node.computed ? undefined : nameOf(node.property);
    case 'TSNonNullExpression':
    case 'TSAsExpression':
    case 'ChainExpression':
      return nameOf(node.expression);
    default:
      return undefined;
  }
}

const isMoney = (node) => moneyName.test(nameOf(node) ?? '');

/**
 * Rejects floating-point arithmetic on amounts. Amounts are `bigint`, and decimals are strings that `Decimal` computes.
 */
export const exactAmounts = {
  meta: {
    type: 'problem',
    docs: { description: 'compute amounts with bigint or Decimal, never with numbers' },
    messages: {
      parse: '{{name}} is money: keep it exact. Use parseAmount, parseUnits or Decimal of @tollbridge/money.',
      arithmetic: '{{name}} is money and a {{type}}: compute with bigint or Decimal of @tollbridge/money.',
    },
    schema: [],
  },
  create(context) {
    const isType = (node, flag) => {
      const type = expressionType(context.filename, node.range);
      return (type.isUnion() ? type.types : [type]).some((part) => (part.flags & flag) !== 0);
    };
    const report = (node, operand, messageId, type) =>
      context.report({ node, messageId, data: { name: nameOf(operand), type } });
    const checkArithmetic = (node, operator) => {
      if (!arithmetic.has(operator)) return;
      const operands = [node.left, node.right];
      const number = operands.find((operand) => isMoney(operand) && isType(operand, ts.TypeFlags.NumberLike));
      if (number) return report(node, number, 'arithmetic', 'number');
      // The operator + concatenates two decimal strings instead of adding them.
      if (operator === '+' && operands.every((it) => isMoney(it) && isType(it, ts.TypeFlags.StringLike)))
        report(node, node.left, 'arithmetic', 'string');
    };
    return {
      CallExpression(node) {
        const [argument] = node.arguments;
        if (argument && floatParsers.has(nameOf(node.callee)) && isMoney(argument))
          report(node, argument, 'parse');
      },
      UnaryExpression(node) {
        if (node.operator === '+' && isMoney(node.argument)) report(node, node.argument, 'parse');
      },
      BinaryExpression: (node) => checkArithmetic(node, node.operator),
      AssignmentExpression: (node) => checkArithmetic(node, node.operator.slice(0, -1)),
    };
  },
};
