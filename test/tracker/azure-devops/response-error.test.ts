import { describe, expect, it } from 'vitest'
import { exitCodeOf } from '../../../src/kernel'
import { classifyResponse } from '../../../src/tracker/azure-devops/response-error'
import { createResponse } from '../../../src/tracker/services/requests/http-client'
import { DEFAULT_SETTING_NAMES } from '../../../src/tracker/services/setting-names'
import { errorBody } from './fixtures'

const access = {
  tokenAdvice: null,
  address: { base: 'https://tracker.example/works', label: 'tracker.example/works' },
  hasToken: true,
  names: DEFAULT_SETTING_NAMES,
  addressForm: 'the address of the tracker with its organization',
}

interface Came {
  status: number
  json?: unknown
  text?: string
  type?: string
  location?: string
  retryAfterMs?: number
}

function errorFor({ status, json, text, type, location, retryAfterMs }: Came, hasToken = true) {
  const answer = createResponse({
    status,
    contentType: type ?? (json === undefined ? 'text/html' : 'application/json; charset=utf-8'),
    location: location ?? null,
    isForAnonymous: false,
    retryAfterMs: retryAfterMs ?? null,
    serverTimeMs: null,
    header: () => null,
    text: text ?? (json === undefined ? '' : JSON.stringify(json)),
  })
  return classifyResponse(answer, { ...access, hasToken })
}

const signInPage = '<!DOCTYPE html><html><head><title>Sign In</title></head><body></body></html>'

describe('a successful response', () => {
  it('has JSON and a status of success', () => {
    expect(errorFor({ status: 200, json: { count: 0, value: [] } })).toBeNull()
  })

  it('can begin with a byte order mark', () => {
    expect(errorFor({ status: 200, type: 'application/json', text: '\uFEFF{"count":0}' })).toBeNull()
  })
})

describe('a bad or expired token', () => {
  const faces: [string, Came][] = [
    ['a sign-in page under 203', { status: 203, text: signInPage }],
    ['a sign-in page under 200', { status: 200, text: signInPage }],
    ['a redirect to sign in', { status: 302, location: 'https://login.example/_signin?realm=tracker' }],
    ['a redirect to sign in, relative', { status: 302, location: '/_signin?realm=tracker' }],
    ['401 without a body', { status: 401 }],
    [
      '401 with TF400813',
      { status: 401, json: errorBody('UnauthorizedRequestException', "TF400813: The user '' is not authorized.") },
    ],
    [
      'TF400813 under another status',
      { status: 403, json: errorBody('UnauthorizedRequestException', "TF400813: The user '' is not authorized.") },
    ],
    [
      'an access check in the body of a success',
      {
        status: 200,
        json: errorBody('AccessCheckException', 'Access Denied: The Personal Access Token used has expired.'),
      },
    ],
    [
      'an access check that names the token',
      {
        status: 403,
        json: errorBody('AccessCheckException', 'Access Denied: The Personal Access Token used has expired.'),
      },
    ],
  ]

  it.each(faces)('is recognized as %s', (_, came) => {
    const error = errorFor(came)!
    expect(error.code).toBe('tracker_token')
    expect(exitCodeOf(error.code)).toBe(4)
    expect(error.hint).toContain('STUDIO_TRACKER_TOKEN')
    expect(error.hint).toContain('Work Items (read & write)')
    expect(error.hint).toContain('https://tracker.example/works/_usersSettings/tokens')
    expect(error.isTransient).toBe(false)
    expect(error.effect).toBe('none')
  })

  it('is distinguished from a missing token', () => {
    expect(errorFor({ status: 401 }, false)!.message).toContain('none is set')
    expect(errorFor({ status: 401 }, true)!.message).toContain('does not accept the token')
  })
})

describe('a rejection', () => {
  it('is tracker_forbidden with the message of the tracker for 403', () => {
    const message = 'TF237111: The current user does not have permissions to save work items under the area path.'
    const error = errorFor({ status: 403, json: errorBody('AccessDeniedException', message) })!
    expect(error.code).toBe('tracker_forbidden')
    expect(error.message).toContain('does not have permissions to save work items under the area path. (TF237111)')
    expect(errorFor({ status: 403, text: '<html></html>' })!.code).toBe('tracker_forbidden')
  })

  it('is not_found for 404 with an error body', () => {
    const message = 'TF401232: Work item 7 does not exist, or you do not have permissions to read it.'
    const error = errorFor({ status: 404, json: errorBody('WorkItemUnauthorizedAccessException', message) })!
    expect(error.code).toBe('not_found')
    expect(error.message).toBe('Work item 7 does not exist, or you do not have permissions to read it. (TF401232)')
  })

  it('is a wrong address for 404 with a page', () => {
    const error = errorFor({ status: 404, text: '<html>Not found</html>' })!
    expect(error.code).toBe('tracker_answer')
    expect(error.hint).toContain('STUDIO_TRACKER_URL')
    expect(error.hint).toContain('https://tracker.example/works')
  })

  it('is a wrong setting for 404 of the project', () => {
    const message = 'TF200016: The following project does not exist: Shop.'
    const error = errorFor({ status: 404, json: errorBody('ProjectDoesNotExistWithNameException', message) })!
    expect(error.code).toBe('invalid')
    expect(error.hint).toContain('STUDIO_TRACKER_PROJECT')
  })

  it('is not transient for 400', () => {
    const error = errorFor({ status: 400, json: errorBody('WorkItemTrackingQueryException', 'VS402337: Too many.') })!
    expect(error).toMatchObject({ code: 'tracker_answer', isTransient: false, effect: 'none' })
    expect(error.message).toBe('The tracker refused the request: Too many. (VS402337)')
  })

  it('is a timeout for VS402335', () => {
    const json = errorBody('WorkItemTrackingQueryTimeoutException', 'VS402335: The query took too long.')
    expect(errorFor({ status: 400, json })!.code).toBe('tracker_timeout')
  })
})

describe('a temporary error', () => {
  it('is tracker_throttled for 429, with the seconds to wait', () => {
    const json = errorBody('RequestBlockedException', 'TF400733: The request has been canceled.')
    const error = errorFor({ status: 429, json, retryAfterMs: 12_400 })!
    expect(error).toMatchObject({ code: 'tracker_throttled', retryAfterSeconds: 13, isTransient: true, effect: 'none' })
    expect(error.message).toContain('13 s')
  })

  it('is tracker_throttled for TF400733 with any status', () => {
    expect(errorFor({ status: 503, json: errorBody('X', 'TF400733: blocked') })!.code).toBe('tracker_throttled')
  })

  it.each([
    [502, 'tracker_unavailable'],
    [503, 'tracker_unavailable'],
    [504, 'tracker_timeout'],
  ])('is transient with an unknown effect for %d', (status, code) => {
    const error = errorFor({ status, text: '<h1>Service Unavailable</h1>', retryAfterMs: 3000 })!
    expect(error).toMatchObject({ code, isTransient: true, effect: 'unknown', retryAfterSeconds: 3 })
    expect(error.hint).toContain('3 s')
    expect(errorFor({ status, text: '' })!.hint).toContain('https://tracker.example/works')
  })

  it('is not transient for 500', () => {
    const error = errorFor({ status: 500, json: errorBody('Exception', 'TF400898: An Internal Error Occurred.') })!
    expect(error).toMatchObject({ code: 'tracker_answer', isTransient: false, effect: 'unknown' })
  })
})

describe('an invalid response', () => {
  it('is one with a status of success that is not JSON', () => {
    const error = errorFor({ status: 200, text: '<html><body>Welcome to the proxy</body></html>' })!
    expect(error).toMatchObject({ code: 'tracker_answer', isTransient: false, effect: 'unknown' })
    expect(error.message).toContain('text/html')
    expect(error.hint).toContain('STUDIO_TRACKER_URL')
  })

  it('is transient if its JSON is cut off', () => {
    const error = errorFor({ status: 200, type: 'application/json', text: '{"count":1,"value":[{"id"' })!
    expect(error).toMatchObject({ code: 'tracker_answer', isTransient: true, effect: 'unknown' })
  })

  it('is a redirect, which is not followed', () => {
    const error = errorFor({ status: 301, location: 'https://elsewhere.example/works?x=1' })!
    expect(error).toMatchObject({ code: 'tracker_answer', effect: 'none' })
    expect(error.message).toContain('redirects to elsewhere.example;')
  })
})
