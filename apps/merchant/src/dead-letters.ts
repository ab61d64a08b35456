import { runDeadLetters } from '@tollbridge/service';
import { readConfig } from './config';

runDeadLetters('merchant', readConfig().MERCHANT_DATABASE_URL);
