import { runAuditLog } from '@tollbridge/bootstrap';
import { readConfig } from './config';

runAuditLog('merchant', readConfig().MERCHANT_DATABASE_URL);
