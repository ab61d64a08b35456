import { runMigrations } from '@tollbridge/service';
import { migrations } from './migrations';

runMigrations({ app: 'tee', urlVariable: 'TEE_MIGRATION_DATABASE_URL', migrations });
