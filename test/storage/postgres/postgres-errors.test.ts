import { describe, expect, it } from 'vitest'
import { familyOf, type StudioError } from '../../../src/kernel'
import { ConnectionError, toStudioError } from '../../../src/storage/postgres/postgres-errors'

const WHERE = 'The database postgres://db.example.com/studio'
const serverError = (code: string) => Object.assign(new Error('said the server'), { severity: 'ERROR', code })
const translate = (error: unknown) => toStudioError(error, WHERE) as StudioError

describe('the error message', () => {
  it.each([
    ['repeated conflicts with other transactions', serverError('40001'), 'database_busy'],
    ['repeated deadlocks', serverError('40P01'), 'database_busy'],
    ['a lock that is not available', serverError('55P03'), 'database_busy'],
    ['a statement timeout', serverError('57014'), 'database_busy'],
    ['a full disk', serverError('53100'), 'disk_full'],
    ['a standby', serverError('25006'), 'read_only'],
    ['a missing permission', serverError('42501'), 'unavailable'],
    ['a missing schema', serverError('3F000'), 'unavailable'],
    ['U+0000 in a text', serverError('22021'), 'invalid'],
  ])('for %s', (_, error, code) => {
    expect(translate(error)).toMatchObject({ code, cause: error, hint: expect.any(String) })
  })

  it('asks to try again at a standby, because a pooler leads there only while servers change their roles', () => {
    expect(translate(serverError('25006'))).toMatchObject({ code: 'read_only', retryAfterSeconds: 1 })
  })

  it.each([
    ['refuses connections', Object.assign(new Error(''), { code: 'ECONNREFUSED' }), 'does not answer (ECONNREFUSED)'],
    [
      'has an unknown name',
      Object.assign(new Error(''), { code: 'ENOTFOUND' }),
      'does not answer (unknown host name, ENOTFOUND)',
    ],
    ['is starting', serverError('57P03'), 'refused the connection: said the server (57P03)'],
    ['is a pooler that refuses', serverError('08P01'), 'refused the connection: said the server (08P01)'],
    ['does not answer', new Error('Connection terminated due to connection timeout'), 'does not answer.'],
    ['refuses the password', serverError('28P01'), 'rejected the user name or the password'],
    ['has no such database', serverError('3D000'), 'does not exist'],
    ['does not support encryption', new Error('The server does not support SSL connections'), 'No secure connection'],
    [
      'has an untrusted certificate',
      Object.assign(new Error('wrong'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERTIFICATE' }),
      'No secure',
    ],
  ])('for a server that %s', (_, cause, words) => {
    const error = translate(new ConnectionError('connecting', cause))
    expect(error).toMatchObject({ code: 'unavailable', retryAfterSeconds: 1, cause })
    expect(error.message).toContain(words)
    expect(error.message).toContain('postgres://db.example.com/studio')
  })

  it.each([
    ['all connections of the pool in use', new Error('timeout exceeded when trying to connect')],
    ['all connections of the server in use', serverError('53300')],
  ])('for %s', (_, cause) => {
    expect(translate(new ConnectionError('connecting', cause)).code).toBe('database_busy')
  })

  it('explains a lost connection, and what that means for the change', () => {
    const cause = new Error('Connection terminated unexpectedly')
    expect(translate(new ConnectionError('working', cause)).message).toContain('nothing was changed')
    expect(translate(new ConnectionError('committing', cause)).message).toContain('may or may not have been saved')
    expect(familyOf(translate(new ConnectionError('committing', cause)).code)).toBe('unavailable')
  })

  it('contains the cause of any other error', () => {
    for (const error of [new TypeError('a bug'), serverError('42703'), serverError('23505')])
      expect(toStudioError(error, WHERE)).toBe(error)
  })
})
