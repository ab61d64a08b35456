import { runAuditLog } from '@tollbridge/bootstrap';
import { readConfig } from './config';

const config = readConfig();
runAuditLog('pay-orders', config.PAY_ORDERS_DATABASE_URL, config);
