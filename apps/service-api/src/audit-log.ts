import { runAuditLog } from '@tollbridge/bootstrap';
import { readConfig } from './config';

runAuditLog('service-api', readConfig().SERVICE_API_DATABASE_URL);
