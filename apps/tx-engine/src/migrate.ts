import { runMigrations } from '@tollbridge/bootstrap';
import { migrations } from './migrations';

runMigrations({ app: 'tx-engine', urlVariable: 'TX_ENGINE_MIGRATION_DATABASE_URL', migrations });
