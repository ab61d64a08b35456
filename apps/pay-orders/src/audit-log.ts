import { runAuditLog } from '@tollbridge/bootstrap';
import { readConfig } from './config';

runAuditLog('pay-orders', readConfig().PAY_ORDERS_DATABASE_URL);
