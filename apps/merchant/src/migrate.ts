import { runMigrations } from '@tollbridge/service';
import { migrations } from './migrations';

runMigrations({ app: 'merchant', urlVariable: 'MERCHANT_MIGRATION_DATABASE_URL', migrations });
