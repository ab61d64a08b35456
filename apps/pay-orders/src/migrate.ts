import { runMigrations } from '@tollbridge/bootstrap';
import { migrations } from './migrations';

runMigrations({ app: 'pay-orders', urlVariable: 'PAY_ORDERS_MIGRATION_DATABASE_URL', migrations });
