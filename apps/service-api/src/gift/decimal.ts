export { Decimal } from '@tollbridge/money';
