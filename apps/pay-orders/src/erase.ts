import 'reflect-metadata';
import { runErasure } from '@tollbridge/bootstrap';
import { readConfig } from './config';
import { entities } from './entities';

runErasure({ app: 'pay-orders', url: readConfig().PAY_ORDERS_DATABASE_URL, entities });
