import { QueryFailedError } from 'typeorm';
import { DomainError } from '@tollbridge/rpc';
import { databaseFailure, isRepeatable, isWithoutEffect, sqlStateOf } from './database-failure';

/** As pg throws what the server has sent. */
const said = (code: string) => Object.assign(new Error('said by the server'), { code, severity: 'ERROR' });
/** As Node throws what the operating system has said. */
const system = (code: string, syscall: string) =>
  Object.assign(new Error(`${syscall} ${code}`), { code, syscall });

describe('the state of an error', () => {
  it('is that which the server has sent', () => {
    expect(sqlStateOf(said('23505'))).toBe('23505');
    expect(sqlStateOf(new QueryFailedError('SELECT 1', [], said('23505')))).toBe('23505');
  });

  it.each([
    ['a code of the operating system that looks alike', system('EPIPE', 'write')],
    ['a code of an app', Object.assign(new Error('no'), { code: '40001' })],
    ['no code', new Error('no')],
    ['no error', undefined],
    ['null', null],
    ['a text', '23505'],
  ])('is not made from %s', (_case, error) => {
    expect(sqlStateOf(error)).toBeUndefined();
  });

  it.each(['40001', '40P01'])('asks to be repeated when it is %s', (code) => {
    expect(isRepeatable(said(code))).toBe(true);
  });

  it.each(['23505', '40003', '57014', '08006'])('does not ask to be repeated when it is %s', (code) => {
    expect(isRepeatable(said(code))).toBe(false);
  });
});

describe('what a caller is told of a failure', () => {
  it.each([
    ['deadlocks, again and again', said('40P01')],
    ['serialization failures, again and again', said('40001')],
    ['a full disk', said('53100')],
    ['too many connections', said('53300')],
    ['a lock that is not free', said('55P03')],
    ['a statement out of time', said('57014')],
    ['a server that is starting', said('57P03')],
    ['a server that only reads', said('25006')],
    ['an exhausted pool', new Error('timeout exceeded when trying to connect')],
    ['a server that does not answer', new Error('Connection terminated due to connection timeout')],
    ['a pool that is closing', new Error('Cannot use a pool after calling end on the pool')],
    ['a server that is away', system('ECONNREFUSED', 'connect')],
    ['a network that is away', system('EHOSTUNREACH', 'connect')],
    ['a connection that is not made in time', system('ETIMEDOUT', 'connect')],
    ['a name that is not found', system('EAI_AGAIN', 'getaddrinfo')],
  ])('%s: try again', (_case, error) => {
    expect(databaseFailure(error)).toMatchObject({ code: 'SERVICE_UNAVAILABLE', cause: error });
    expect(databaseFailure(new QueryFailedError('SELECT 1', [], error))?.code).toBe('SERVICE_UNAVAILABLE');
  });

  it.each([
    ['a session that an administrator ended', said('57P01')],
    ['a server that crashed', said('57P02')],
    ['a connection that failed', said('08006')],
    ['a completion that is not known', said('40003')],
    ['a connection that ended', new Error('Connection terminated unexpectedly')],
    ['a connection that was reset', system('ECONNRESET', 'read')],
    ['a connection that nobody reads', system('EPIPE', 'write')],
    ['a network that swallows', system('ETIMEDOUT', 'read')],
    ['a server that fell silent', new Error('Query read timeout')],
    ['a client that had failed', new Error('Client has encountered a connection error and is not queryable')],
  ])('%s: nobody knows', (_case, error) => {
    expect(databaseFailure(error)).toMatchObject({ code: 'OUTCOME_UNKNOWN', cause: error });
  });

  it.each([
    ['a mistake in a statement', said('42601')],
    ['a value twice', said('23505')],
    ['a missing right', said('42501')],
    ['a wrong password', said('28P01')],
    ['a mistake of ours', new TypeError('x is not a function')],
    ['nothing', undefined],
  ])('%s: nothing, it is a fault of ours', (_case, error) => {
    expect(databaseFailure(error)).toBeUndefined();
  });
});

describe('nothing was written', () => {
  it.each([
    ['after a refusal of ours', new DomainError('CONFLICT')],
    ['when nobody was reached', new DomainError('SERVICE_UNAVAILABLE')],
    ['when the server refused the statement', said('23505')],
    ['when it was out of room', said('53100')],
    ['when it was starting', said('57P03')],
    ['when there was no connection', system('ECONNREFUSED', 'connect')],
  ])('%s', (_case, error) => {
    expect(isWithoutEffect(error)).toBe(true);
  });

  it.each([
    ['no answer came', new DomainError('OUTCOME_UNKNOWN')],
    ['something went wrong', new DomainError('INTERNAL_ERROR')],
    ['the connection was lost', system('ECONNRESET', 'read')],
    ['the server ended the session', said('57P01')],
    ['the server does not know either', said('40003')],
    ['there is a mistake of ours', new TypeError('x is not a function')],
    ['there is no error', undefined],
  ])('is not known when %s', (_case, error) => {
    expect(isWithoutEffect(error)).toBe(false);
  });
});
