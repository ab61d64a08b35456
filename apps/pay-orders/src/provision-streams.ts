import { runStreamProvisioning } from '@tollbridge/bootstrap';

runStreamProvisioning();
