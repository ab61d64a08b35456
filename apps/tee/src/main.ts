import 'reflect-metadata';
import { run } from '@tollbridge/service';
import { start } from './start';

run(() => start());
