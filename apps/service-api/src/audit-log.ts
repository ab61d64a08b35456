import { runAuditLog } from '@tollbridge/bootstrap';
import { readConfig } from './config';

const config = readConfig();
runAuditLog('service-api', config.SERVICE_API_DATABASE_URL, config);
