import { describe, expect, it } from 'vitest'
import { parseErrorBody } from '../../../src/tracker/azure-devops/response-error'
import { cleanText } from '../../../src/tracker/services/requests/response-errors'
import { errorBody } from './fixtures'

describe('an error body', () => {
  it('has a message with the code at the end', () => {
    const body = errorBody('RuleValidationException', 'TF401320: Rule Error for field Title. Error code: Required.')
    expect(parseErrorBody(body)).toEqual({
      text: 'Rule Error for field Title. Error code: Required. (TF401320)',
      typeKey: 'RuleValidationException',
      fields: [],
      code: 'TF401320',
    })
  })

  it('is found in the body of a batch entry', () => {
    expect(parseErrorBody({ count: 1, value: { Message: 'TF401321: Whole Bulk failed.' } })).toEqual({
      text: 'Whole Bulk failed. (TF401321)',
      typeKey: '',
      fields: [],
      code: 'TF401321',
    })
  })

  it('has a type from its full name if there is no short one', () => {
    const body = {
      typeName: 'Tracker.Server.WorkItemRevisionMismatchException, Tracker.Server, Version=1.0',
      message: '',
    }
    expect(parseErrorBody(body).typeKey).toBe('WorkItemRevisionMismatchException')
  })

  it('lists every violated rule', () => {
    const rules = [
      {
        errorMessage: 'Title is empty.',
        fieldReferenceName: 'System.Title',
        fieldStatusFlags: 'required, invalidEmpty',
      },
      { errorMessage: 'Size is not a number.' },
    ]
    const customProperties = { RuleValidationErrors: rules }
    const body = errorBody('RuleValidationException', 'Title is empty.', { customProperties })
    expect(parseErrorBody(body)).toMatchObject({
      text: 'Title is empty. Size is not a number.',
      fields: [{ referenceName: 'System.Title', message: 'Title is empty.' }],
    })
  })

  it.each([undefined, null, 'text', 7, [], {}])('is nothing in %j', (body) => {
    expect(parseErrorBody(body)).toEqual({ text: '', typeKey: '', code: '', fields: [] })
  })
})

describe('the text of an error body', () => {
  it('is on one line, without control and direction characters', () => {
    expect(cleanText('one\r\n\ttwo\u001b[31m three\u202e four\u0000')).toBe('one two [31m three four')
  })

  it('has no markup, but accounts in angle brackets', () => {
    expect(cleanText('<b>The value</b> Ana <ana@shop.example> is<br/>unknown')).toBe(
      'The value Ana <ana@shop.example> is unknown',
    )
  })

  it('is shortened to 500 characters with an ellipsis', () => {
    expect(cleanText('x'.repeat(600))).toBe(`${'x'.repeat(499)}…`)
  })
})
