import { runMigrations } from '@tollbridge/bootstrap';
import { migrations } from './migrations';

runMigrations({ app: 'tee', urlVariable: 'TEE_MIGRATION_DATABASE_URL', migrations });
