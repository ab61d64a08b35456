import { runMigrations } from '@tollbridge/bootstrap';
import { migrations } from './migrations';

runMigrations({ app: 'sandbox', urlVariable: 'SANDBOX_MIGRATION_DATABASE_URL', migrations });
