import 'reflect-metadata';
import { run } from '@tollbridge/bootstrap';
import { start } from './start';

run(() => start());
