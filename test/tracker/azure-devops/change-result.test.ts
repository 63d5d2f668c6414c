import { describe, expect, it } from 'vitest'
import { parseChangeResult } from '../../../src/tracker/azure-devops/update-requests'
import { errorBody, wireItem } from './fixtures'

const bulkTrouble = (message: string) => JSON.stringify({ count: 1, value: { Message: message } })

describe('the response to a change', () => {
  it('contains the item as an object or as a string', () => {
    const item = wireItem({ id: 7, rev: 4 })
    expect(parseChangeResult(200, item)).toMatchObject({ kind: 'applied', wire: { id: 7, rev: 4 } })
    expect(parseChangeResult(200, JSON.stringify(item))).toMatchObject({ kind: 'applied', wire: { id: 7, rev: 4 } })
    expect(parseChangeResult(200, '')).toEqual({ kind: 'applied', wire: null })
  })

  it.each([
    [
      '412, a test that failed',
      412,
      errorBody('TestPatchOperationFailedException', 'VS403351: Test Operation failed.'),
    ],
    ['409, a race', 409, errorBody('WorkItemRevisionMismatchException', 'TF26071: Changed by someone else.')],
    ['409, known by its code alone', 409, bulkTrouble('TF26071: Changed by someone else.')],
    ['412 without a body', 412, ''],
    ['400 that means the revision', 400, errorBody('TestPatchOperationFailedException', 'VS403351: no')],
  ])('means a conflict: %s', (_, status, body) => {
    expect(parseChangeResult(status, body).kind).toBe('conflict')
  })

  it.each([
    ['a rule', 400, errorBody('RuleValidationException', 'TF401320: Rule Error for field State.')],
    ['another 409', 409, errorBody('WorkItemLinkException', 'TF201036: You cannot add a link.')],
    ['an item that may not be changed', 403, errorBody('AccessDeniedException', 'TF237111: no permission')],
    ['an item that is gone', 404, errorBody('WorkItemUnauthorizedAccessException', 'TF401232: no item')],
    ['a bulk entry', 400, bulkTrouble('TF401347: Invalid tree name.')],
  ])('means a rejection: %s', (_, status, body) => {
    expect(parseChangeResult(status, body).kind).toBe('rejected')
  })

  it('contains the cleaned reason of the tracker', () => {
    expect(parseChangeResult(400, bulkTrouble('TF401320: Rule Error\r\n for field <b>State</b>.'))).toEqual({
      kind: 'rejected',
      message: 'Rule Error for field State . (TF401320)',
    })
    expect(parseChangeResult(400, 'no JSON at all')).toMatchObject({ message: 'no JSON at all' })
    expect(parseChangeResult(400, {})).toMatchObject({ message: 'The tracker answered HTTP 400.' })
  })

  it('means not processed if the whole batch failed, or the tracker was too busy', () => {
    expect(parseChangeResult(500, bulkTrouble('TF401321: Whole Bulk failed.')).kind).toBe('notProcessed')
    expect(parseChangeResult(429, '').kind).toBe('notProcessed')
  })

  it('means a failure for any other 5xx', () => {
    expect(parseChangeResult(500, errorBody('Exception', 'TF400898: An Internal Error Occurred.')).kind).toBe('failed')
    expect(parseChangeResult(503, '').kind).toBe('failed')
  })
})
