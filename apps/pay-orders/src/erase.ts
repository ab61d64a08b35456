import 'reflect-metadata';
import { runErasure } from '@tollbridge/bootstrap';
import { readConfig } from './config';
import { entities } from './entities';

const config = readConfig();
runErasure({ app: 'pay-orders', url: config.PAY_ORDERS_DATABASE_URL, entities, config });
