import 'reflect-metadata';
import { runErasure } from '@tollbridge/bootstrap';
import { readConfig } from './config';
import { entities } from './entities';

runErasure({ app: 'merchant', url: readConfig().MERCHANT_DATABASE_URL, entities });
