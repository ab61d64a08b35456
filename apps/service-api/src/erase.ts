import 'reflect-metadata';
import { runErasure } from '@tollbridge/bootstrap';
import { readConfig } from './config';
import { entities } from './entities';

runErasure({ app: 'service-api', url: readConfig().SERVICE_API_DATABASE_URL, entities });
