import { describe, expect, it } from 'vitest'
import {
  asStudioError,
  errorBody,
  exitCodeOf,
  httpStatusOf,
  mapErrorFields,
  StudioError,
  withoutPlaces,
} from '../../src/kernel'

describe('the table of errors', () => {
  it.each([
    ['internal', 1, 500],
    ['invalid', 2, 400],
    ['duplicate_reference', 2, 400],
    ['payload_too_large', 2, 413],
    ['unsupported_media_type', 2, 415],
    ['not_found', 3, 404],
    ['tracker_token', 4, 401],
    ['forbidden', 4, 403],
    ['invalid_state', 5, 409],
    ['tracker_throttled', 6, 429],
    ['tracker_unavailable', 7, 503],
    ['tracker_timeout', 7, 504],
    ['interrupted', 130, 499],
  ] as const)('%s: exit %i, HTTP %i', (code, exit, http) => {
    expect([exitCodeOf(code), httpStatusOf(code)]).toEqual([exit, http])
  })

  it('has every key of the body, with null for missing values', () => {
    expect(errorBody(new StudioError('not_found', 'There is no draft 9.'))).toEqual({
      status: 'error',
      code: 'not_found',
      message: 'There is no draft 9.',
      hint: null,
      details: [],
      requestId: null,
    })
  })
})

describe('an error of a system without free handles or memory', () => {
  const systemError = (code: string) => Object.assign(new Error(`${code}: open '/home/ana/studio.db'`), { code })

  it.each([
    ['by itself', systemError('EMFILE')],
    ['for the whole system', systemError('ENFILE')],
    ['of memory', systemError('ENOMEM')],
    [
      'as the cause of a file error',
      new StudioError('invalid', 'Cannot use a file.', { cause: systemError('EMFILE') }),
    ],
    ['as the cause of damage', new StudioError('database_damaged', 'It is cut.', { cause: systemError('EMFILE') })],
    ['of the client for HTTP', new TypeError('fetch failed', { cause: new AggregateError([systemError('EMFILE')]) })],
  ])('%s: is unavailable, and worth trying again', (_, error) => {
    const known = asStudioError(error)
    expect(known).toMatchObject({ code: 'unavailable', retryAfterSeconds: 5, message: expect.stringMatching(/\.$/) })
    expect(JSON.stringify(errorBody(known))).not.toContain('/home/ana')
    expect(asStudioError(known)).toBe(known)
  })

  it('keeps what an error says about the consequence', () => {
    const message = 'The disk did not confirm a write to studio.db.'
    const error = new StudioError('unavailable', message, { cause: systemError('ENOMEM') })
    expect(asStudioError(error)).toMatchObject({ message, retryAfterSeconds: 5 })
  })
})

describe('an error for a remote caller', () => {
  it('says what happened, without files of this machine', () => {
    const file = '/home/ana/studio.db'
    const error = new StudioError('database_damaged', `The database is damaged: ${file}, at byte 5: it is cut.`, {
      hint: `Move ${file} aside, or run: sqlite3 ${file} vacuum`,
      details: [{ path: '', message: 'it is cut', file, offset: 5 }],
      places: [{ text: file, name: 'the database file' }],
    })
    expect(errorBody(withoutPlaces(error))).toMatchObject({
      code: 'database_damaged',
      message: 'The database is damaged: the database file, at byte 5: it is cut.',
      hint: 'Move <database file> aside, or run: sqlite3 <database file> vacuum',
      details: [{ path: '', message: 'it is cut', file: 'The database file', offset: 5 }],
    })
  })

  it('begins a sentence with what a place is, and takes the longer of two places first', () => {
    const error = new StudioError('invalid', '/a/db is no file. /a/db-wal belongs to /a/db.', {
      places: [
        { text: '/a/db', name: 'the database file' },
        { text: '/a/db-wal', name: 'its log' },
      ],
    })
    expect(withoutPlaces(error).message).toBe('The database file is no file. Its log belongs to the database file.')
  })

  it('hides them also if the surface has other names for the fields', () => {
    const file = '/home/ana/studio.db'
    const error = new StudioError('database_busy', `It waits for ${file}.`, {
      places: [{ text: file, name: 'the file' }],
    })
    expect(withoutPlaces(mapErrorFields(error, { nameOf: (path) => path, hint: '' })).message).toBe(
      'It waits for the file.',
    )
  })

  it('is unchanged if it names no place', () => {
    const error = new StudioError('conflict', 'It was changed meanwhile.')
    expect(withoutPlaces(error)).toBe(error)
  })
})

describe('an error that repeats what a caller sent', () => {
  it('is short, says how much it omits, and keeps its end', () => {
    const { message, details } = new StudioError('invalid', `"${'a'.repeat(1_000_000)}" is no date.`, {
      details: [{ path: 'date', message: `"${'a'.repeat(1_000_000)}" is no date` }],
    })
    expect(message.length).toBeLessThan(11_000)
    expect(message).toMatch(/^"a+… \(99\d{4} characters\) …a+" is no date\.$/)
    expect(details[0]!.message.length).toBeLessThan(11_000)
  })
})
