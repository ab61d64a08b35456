import { runDeadLetters } from '@tollbridge/bootstrap';
import { readConfig } from './config';

runDeadLetters('merchant', readConfig().MERCHANT_DATABASE_URL);
