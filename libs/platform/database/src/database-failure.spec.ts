import { QueryFailedError } from 'typeorm';
import { DomainError } from '@tollbridge/rpc';
import { databaseFailure, isRepeatable, isWithoutEffect, sqlStateOf } from './database-failure';

/** An error that the server sent, in the form that pg throws. */
const serverError = (code: string) =>
  Object.assign(new Error('reported by the server'), { code, severity: 'ERROR' });
/** An error of the operating system, in the form that Node throws. */
const system = (code: string, syscall: string) =>
  Object.assign(new Error(`${syscall} ${code}`), { code, syscall });

describe('sqlStateOf and isRepeatable', () => {
  it('returns the SQL state that the server sent', () => {
    expect(sqlStateOf(serverError('23505'))).toBe('23505');
    expect(sqlStateOf(new QueryFailedError('SELECT 1', [], serverError('23505')))).toBe('23505');
  });

  it.each([
    ['a code of the operating system that looks like a state', system('EPIPE', 'write')],
    ['a code of an app', Object.assign(new Error('no'), { code: '40001' })],
    ['no code', new Error('no')],
    ['no error', undefined],
    ['null', null],
    ['a text', '23505'],
  ])('returns no state for %s', (_case, error) => {
    expect(sqlStateOf(error)).toBeUndefined();
  });

  it.each(['40001', '40P01'])('marks %s as repeatable', (code) => {
    expect(isRepeatable(serverError(code))).toBe(true);
  });

  it.each(['23505', '40003', '57014', '08006'])('does not mark %s as repeatable', (code) => {
    expect(isRepeatable(serverError(code))).toBe(false);
  });
});

describe('databaseFailure', () => {
  it.each([
    ['repeated deadlocks', serverError('40P01')],
    ['repeated serialization failures', serverError('40001')],
    ['a full disk', serverError('53100')],
    ['too many connections', serverError('53300')],
    ['a lock that is not free', serverError('55P03')],
    ['a statement that timed out', serverError('57014')],
    ['a server that is starting', serverError('57P03')],
    ['a read-only server', serverError('25006')],
    ['an exhausted pool', new Error('timeout exceeded when trying to connect')],
    ['a server that does not answer', new Error('Connection terminated due to connection timeout')],
    ['a pool that is closing', new Error('Cannot use a pool after calling end on the pool')],
    ['an unreachable server', system('ECONNREFUSED', 'connect')],
    ['an unreachable network', system('EHOSTUNREACH', 'connect')],
    ['a connection that is not made in time', system('ETIMEDOUT', 'connect')],
    ['a name that is not resolved', system('EAI_AGAIN', 'getaddrinfo')],
  ])('returns SERVICE_UNAVAILABLE for %s', (_case, error) => {
    expect(databaseFailure(error)).toMatchObject({ code: 'SERVICE_UNAVAILABLE', cause: error });
    expect(databaseFailure(new QueryFailedError('SELECT 1', [], error))?.code).toBe('SERVICE_UNAVAILABLE');
  });

  it.each([
    ['a session that an administrator ended', serverError('57P01')],
    ['a server that crashed', serverError('57P02')],
    ['a connection that failed', serverError('08006')],
    ['an unknown completion', serverError('40003')],
    ['a connection that ended', new Error('Connection terminated unexpectedly')],
    ['a connection that was reset', system('ECONNRESET', 'read')],
    ['a connection that is not read', system('EPIPE', 'write')],
    ['a network that drops packets', system('ETIMEDOUT', 'read')],
    ['a server that fell silent', new Error('Query read timeout')],
    [
      'a client that failed before',
      new Error('Client has encountered a connection error and is not queryable'),
    ],
  ])('returns OUTCOME_UNKNOWN for %s', (_case, error) => {
    expect(databaseFailure(error)).toMatchObject({ code: 'OUTCOME_UNKNOWN', cause: error });
  });

  it.each([
    ['a mistake in a statement', serverError('42601')],
    ['a duplicate value', serverError('23505')],
    ['a missing privilege', serverError('42501')],
    ['a wrong password', serverError('28P01')],
    ['a bug', new TypeError('x is not a function')],
    ['no error at all', undefined],
  ])('returns undefined for %s', (_case, error) => {
    expect(databaseFailure(error)).toBeUndefined();
  });
});

describe('isWithoutEffect', () => {
  it.each([
    ['a rejection by the app', new DomainError('CONFLICT')],
    ['the error SERVICE_UNAVAILABLE', new DomainError('SERVICE_UNAVAILABLE')],
    ['a statement that the server rejected', serverError('23505')],
    ['a full disk', serverError('53100')],
    ['a server that is starting', serverError('57P03')],
    ['a connection that was not made', system('ECONNREFUSED', 'connect')],
  ])('returns true for %s', (_case, error) => {
    expect(isWithoutEffect(error)).toBe(true);
  });

  it.each([
    ['the error OUTCOME_UNKNOWN', new DomainError('OUTCOME_UNKNOWN')],
    ['the error INTERNAL_ERROR', new DomainError('INTERNAL_ERROR')],
    ['a lost connection', system('ECONNRESET', 'read')],
    ['a session that the server ended', serverError('57P01')],
    ['a completion that the server does not know', serverError('40003')],
    ['a bug in the app', new TypeError('x is not a function')],
    ['no error value', undefined],
  ])('returns false for %s', (_case, error) => {
    expect(isWithoutEffect(error)).toBe(false);
  });
});
