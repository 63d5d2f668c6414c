import { describe, expect, it } from 'vitest'
import { errorBody, exitCodeOf, httpStatusOf, StudioError } from '../../src/kernel'

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

  it('gives every key of the body, null where there is nothing to say', () => {
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
