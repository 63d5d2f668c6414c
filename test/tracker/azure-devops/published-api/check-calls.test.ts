import { describe, expect, it } from 'vitest'
import type { SentAnswer, SentRequest } from '../../published-api/published-api'
import { findMismatches } from './check-calls'

const JSON_PATCH = { 'content-type': 'application/json-patch+json' }
const rename = [{ op: 'replace', path: '/fields/System.Title', value: 'Another' }]

function check(request: Partial<SentRequest>, answer: SentAnswer | null = null): string {
  return findMismatches({ method: 'GET', url: '/works', headers: {}, body: null, ...request }, answer).join('; ')
}

const patch = (more: Partial<SentRequest> = {}) =>
  check({
    method: 'PATCH',
    url: '/works/_apis/wit/workitems/7?api-version=7.1',
    headers: JSON_PATCH,
    body: rename,
    ...more,
  })

const sendBatch = (one: object) =>
  check({
    method: 'PATCH',
    url: '/works/_apis/wit/$batch?api-version=7.1',
    headers: { 'content-type': 'application/json' },
    body: [
      {
        method: 'PATCH',
        uri: '/_apis/wit/workitems/7?api-version=7.1',
        headers: { 'Content-Type': JSON_PATCH['content-type'] },
        body: rename,
        ...one,
      },
    ],
  })

describe("the check against Microsoft's description", () => {
  it('finds nothing in requests as it describes them, with and without the project', () => {
    expect(patch()).toBe('')
    expect(patch({ url: '/works/Parts%20Shop/_apis/wit/workitems/7?$expand=relations&api-version=7.1' })).toBe('')
    expect(
      check({ url: '/works/Shop/_apis/wit/classificationnodes/areas/Web%20%26%20API/Login?$depth=2&api-version=7.1' }),
    ).toBe('')
    expect(sendBatch({})).toBe('')
  })

  it.each([
    ['a wrong path', { url: '/works/_apis/wit/workitem/7?api-version=7.1' }, 'is not described'],
    ['a wrong method', { method: 'PUT' }, 'PUT /works/_apis/wit/workitems/7 is not described'],
    ['an ID that is no number', { url: '/works/_apis/wit/workitems/x?api-version=7.1' }, 'path id must be integer'],
    ['no version', { url: '/works/_apis/wit/workitems/7' }, 'query lacks api-version'],
    ['an unknown parameter', { url: '/works/_apis/wit/workitems/7?expand=all&api-version=7.1' }, 'unknown expand'],
    [
      'a wrong value',
      { url: '/works/_apis/wit/workitems/7?$expand=some&api-version=7.1' },
      'query $expand must be equal',
    ],
    [
      'a wrong type of content',
      { headers: { 'content-type': 'application/json' } },
      'type application/json instead of',
    ],
    ['no body', { body: null }, 'lacks its body'],
    ['a wrong operation', { body: [{ op: 'set', path: '/rev' }] }, 'request/0/op must be equal'],
    [
      'a field of the body with a wrong name',
      { body: [{ op: 'test', name: '/rev' }] },
      '{"additionalProperty":"name"}',
    ],
  ])('finds %s', (_, change, message) => {
    expect(patch(change)).toContain(message)
  })

  it('finds faults in the requests of a batch', () => {
    expect(sendBatch({ uri: '/_apis/wit/workitems/7' })).toContain('query lacks api-version')
    expect(sendBatch({ body: [{ op: 'set', path: '/rev' }] })).toContain('/op must be equal')
    expect(sendBatch({ url: '/_apis' })).toContain('{"additionalProperty":"url"}')
  })

  it.each([
    [{ json: { id: 7, rev: '1', fields: {} } }, 'answer/rev must be integer'],
    [{ json: { id: 7, title: 'A title' } }, '{"additionalProperty":"title"}'],
    [{ status: 204 }, 'answer has the status 204 instead of 200'],
    [{ status: 404, json: { message: 'None' } }, ''],
  ])('finds what %j has that no answer has', (answer, message) => {
    const found = check({ url: '/works/_apis/wit/workitems/7?api-version=7.1' }, answer)
    if (message === '') expect(found).toBe('')
    else expect(found).toContain(message)
  })

  it('knows that a list is wrapped', () => {
    const url = '/works/_apis/projects?api-version=7.1'
    expect(check({ url }, { json: [{ name: 'Shop' }] })).toContain('answer must be object')
    expect(check({ url }, { json: { count: 1, value: [{ name: 'Shop' }] } })).toBe('')
  })
})
