import { runDeadLetters } from '@tollbridge/bootstrap';
import { readConfig } from './config';

const config = readConfig();
runDeadLetters('merchant', config.MERCHANT_DATABASE_URL, config);
