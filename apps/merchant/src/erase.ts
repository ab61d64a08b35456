import 'reflect-metadata';
import { runErasure } from '@tollbridge/bootstrap';
import { readConfig } from './config';
import { entities } from './entities';

const config = readConfig();
runErasure({ app: 'merchant', url: config.MERCHANT_DATABASE_URL, entities, config });
