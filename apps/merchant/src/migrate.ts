import { runMigrations } from '@tollbridge/bootstrap';
import { migrations } from './migrations';

runMigrations({ app: 'merchant', urlVariable: 'MERCHANT_MIGRATION_DATABASE_URL', migrations });
