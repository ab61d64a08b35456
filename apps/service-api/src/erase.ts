import 'reflect-metadata';
import { runErasure } from '@tollbridge/bootstrap';
import { readConfig } from './config';
import { entities } from './entities';

const config = readConfig();
runErasure({ app: 'service-api', url: config.SERVICE_API_DATABASE_URL, entities, config });
