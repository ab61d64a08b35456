import { runMigrations } from '@tollbridge/bootstrap';
import { migrations } from './migrations';

runMigrations({ app: 'service-api', urlVariable: 'SERVICE_API_MIGRATION_DATABASE_URL', migrations });
