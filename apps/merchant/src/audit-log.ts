import { runAuditLog } from '@tollbridge/bootstrap';
import { readConfig } from './config';

const config = readConfig();
runAuditLog('merchant', config.MERCHANT_DATABASE_URL, config);
