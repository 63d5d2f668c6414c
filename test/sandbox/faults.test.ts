import { describe, expect, it } from 'vitest'
import {
  addRetryAfter,
  cutAfter,
  type Fault,
  type Faults,
  failWholeBatch,
  holdUntil,
  insertNullEntries,
  redirectToSignIn,
  refuseWith,
  resetAfter,
  resetBefore,
  respondAccessCheck,
  respondSignInPage,
  respondUnauthorized,
  respondUnavailable,
  stallAfter,
  throttle,
} from './fault-presets'
import { sandbox, setField } from './harness'

const item = '/_apis/wit/workitems/101'
const every = (fault: Fault): Faults => [{ path: /workitems/i, fault }]

describe('the request that fails', () => {
  it('is selected by method, path and number', async () => {
    const tracker = await sandbox({
      faults: [{ method: 'get', path: /workitems\/102/, nth: 2, fault: respondUnavailable() }],
    })
    const statuses: number[] = []
    for (const id of [102, 101, 102, 102]) statuses.push((await tracker.get(`/_apis/wit/workitems/${id}`)).status)
    expect(statuses).toEqual([200, 200, 503, 200])
  })

  it('can be one of several, each with its own count', async () => {
    const tracker = await sandbox({
      faults: [
        { nth: 1, fault: respondUnavailable() },
        { nth: 2, fault: throttle(7) },
      ],
    })
    const statuses = [await tracker.get(item), await tracker.get(item), await tracker.get(item)].map(
      (reply) => reply.status,
    )
    expect(statuses).toEqual([503, 429, 200])
  })

  it('can be selected by a function', async () => {
    const tracker = await sandbox({
      faults: ({ nth, body }) => (nth === 1 && body.includes('Title') ? respondUnavailable() : null),
    })
    expect((await tracker.patch(item, [setField('System.Title', 'x')])).status).toBe(503)
    expect((await tracker.patch(item, [setField('System.Title', 'x')])).status).toBe(200)
  })
})

describe('an invalid token', () => {
  it.each([
    ['a page with 203', respondSignInPage(), 203, /Sign In/],
    ['a page with 200', respondSignInPage(200), 200, /Sign In/],
    ['401', respondUnauthorized(), 401, /TF400813/],
    ['403', respondAccessCheck(), 403, /AccessCheckException/],
    ['200 with a message about missing permissions', respondAccessCheck(200), 200, /AccessCheckException/],
  ])('causes %s', async (_, fault, status, text) => {
    const reply = await (await sandbox({ faults: every(fault) })).get(item)
    expect(reply.status).toBe(status)
    expect(reply.text).toMatch(text)
  })

  it('causes a redirect to the sign-in page', async () => {
    const reply = await (await sandbox({ faults: every(redirectToSignIn()) })).get(item)
    expect([reply.status, reply.headers.get('location')]).toEqual([302, expect.stringContaining('_signin')])
  })
})

describe('a busy tracker', () => {
  it('responds with 429 and Retry-After', async () => {
    const reply = await (await sandbox({ faults: every(throttle(30)) })).get(item)
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([429, '30'])
    expect(reply.json.message).toContain('TF400733')
  })

  it('sends Retry-After on a successful response', async () => {
    const reply = await (await sandbox({ faults: every(addRetryAfter(2)) })).get(item)
    expect([reply.status, reply.headers.get('retry-after'), reply.json.id]).toEqual([200, '2', 101])
  })

  it('sends errors in its own format', async () => {
    const fault = refuseWith(409, 'WorkItemRevisionMismatchException', 'TF26071: changed by someone else')
    const reply = await (await sandbox({ faults: every(fault) })).get(item)
    expect([reply.status, reply.json.typeKey]).toEqual([409, 'WorkItemRevisionMismatchException'])
  })

  it('responds only when the test allows it', async () => {
    let letGo = () => {}
    const gate = new Promise<void>((resolve) => {
      letGo = resolve
    })
    const tracker = await sandbox({ faults: [{ nth: 1, fault: holdUntil(() => gate) }] })
    const order: string[] = []
    const slow = tracker.get(item).then(() => order.push('slow'))
    await tracker.get(item)
    order.push('quick')
    letGo()
    await slow
    expect(order).toEqual(['quick', 'slow'])
  })
})

describe('a broken connection', () => {
  it('is reset before the request is processed', async () => {
    const tracker = await sandbox({ faults: [{ nth: 1, fault: resetBefore() }] })
    await expect(tracker.patch(item, [setField('System.Title', 'x')])).rejects.toMatchObject({
      cause: { code: 'ECONNRESET' },
    })
    expect((await tracker.get(item)).json.fields['System.Title']).not.toBe('x')
    expect(tracker.requests[0]).toMatchObject({ method: 'PATCH', status: null })
  })

  it('is reset after the request is processed', async () => {
    const tracker = await sandbox({ faults: [{ nth: 1, fault: resetAfter() }] })
    await expect(tracker.patch(item, [setField('System.Title', 'x')])).rejects.toThrow()
    expect((await tracker.get(item)).json.fields['System.Title']).toBe('x')
  })

  it('ends in the middle of the body', async () => {
    const tracker = await sandbox({ faults: every(cutAfter(50)) })
    const response = await fetch(tracker.url + item)
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toThrow()
  })

  it('stops after the head of the response', async () => {
    const tracker = await sandbox({ faults: every(stallAfter()) })
    const abort = new AbortController()
    const response = await fetch(tracker.url + item, { signal: abort.signal })
    expect(response.status).toBe(200)
    const body = response.text()
    abort.abort()
    await expect(body).rejects.toThrow()
  })

  it('stops in the middle of the body until the caller aborts', async () => {
    const tracker = await sandbox({ faults: every(stallAfter(50)) })
    const abort = new AbortController()
    const response = await fetch(tracker.url + item, { signal: abort.signal })
    const reader = response.body!.getReader()
    expect((await reader.read()).value).toHaveLength(50)
    const rest = reader.read()
    abort.abort()
    await expect(rest).rejects.toThrow()
  })
})

describe('unusual responses', () => {
  it('contain nulls between the entries of a list', async () => {
    const tracker = await sandbox({ faults: [{ path: /workitemsbatch/, fault: insertNullEntries() }] })
    const { json } = await tracker.post('/_apis/wit/workitemsbatch', { ids: [101, 102], errorPolicy: 'omit' })
    expect(json.value.map((entry: any) => entry?.id ?? null)).toEqual([null, 101, null, 102])
  })

  it('report that a whole batch failed without an effect', async () => {
    const tracker = await sandbox({ faults: [{ path: /\$batch/, nth: 1, fault: failWholeBatch(1) }] })
    const part = {
      method: 'PATCH',
      uri: `${item}?api-version=7.1`,
      headers: { 'Content-Type': 'application/json-patch+json' },
      body: [setField('System.Title', 'x')],
    }
    const { json } = await tracker.patch('/_apis/wit/$batch', [part, part, part])
    expect(json.value.map((entry: any) => entry.code)).toEqual([500, 400, 500])
    expect(json.value[0].body).toContain('TF401321: Whole Bulk failed.')
    expect((await tracker.get(item)).json.fields['System.Title']).not.toBe('x')
  })

  it('can be combined', async () => {
    const tracker = await sandbox({ faults: every({ ...insertNullEntries(), ...addRetryAfter(1) }) })
    const { headers, json } = await tracker.post('/_apis/wit/workitemsbatch', { ids: [101] })
    expect([headers.get('retry-after'), json.count]).toEqual(['1', 2])
  })
})
