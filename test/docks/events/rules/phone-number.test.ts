import { describe, expect, it } from 'vitest'
import { toDialedNumber } from '../../../../src/docks/events/rules/phone-number'

describe('a telephone number', () => {
  it.each([
    ['+491701234567', '+491701234567'],
    ['+49 170 / 123-45.67', '+491701234567'],
    ['+49 (0) 170 1234567', '+491701234567'],
    ['(312) 555\u2011 0100', '3125550100'],
    ['\u202a+1 312 555 0100\u202c', '+13125550100'],
    ['0170 1234567', '01701234567'],
  ])('is dialed without what is between its digits: %j', (text, dialed) => {
    expect(toDialedNumber(text)).toBe(dialed)
  })

  it.each([
    'call the office',
    '0170 123 ask for Ben',
    '+49 170 1234567, +49 170 7654321',
    '+49+170',
    '1234',
    '+1234567890123456',
    '',
    '{{phone}}',
    '+١٢٣٤٥٦٧',
  ])('is none if it has anything else, or a length that no number has: %j', (text) => {
    expect(toDialedNumber(text)).toBeNull()
  })
})
