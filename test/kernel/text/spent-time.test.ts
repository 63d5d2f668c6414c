import { expect, it } from 'vitest'
import { formatSpentTime, parseSpentTime } from '../../../src/kernel/text/spent-time'

it.each([
  ['45m', 2_700, '45m'],
  ['1h 30m', 5_400, '1h 30m'],
  ['1h30m', 5_400, '1h 30m'],
  ['2d', 57_600, '16h'],
  ['1W', 144_000, '40h'],
  ['1.5h', 5_400, '1h 30m'],
])('%s is %i seconds, and shown as %s', (text, seconds, shown) => {
  expect(parseSpentTime(text)).toBe(seconds)
  expect(formatSpentTime(seconds)).toBe(shown)
})

it.each(['', '30', '0m', '1x', 'h', '1h nonsense', '-1h', '1h 30', '9999999m'])('"%s" is no time', (text) => {
  expect(parseSpentTime(text)).toBeNull()
})
