import { expect, it } from 'vitest'
import { longText, MAX_BODY_BYTES, storableText } from '../../src/kernel'

it('a long text may fill a body, counted in bytes of UTF-8', () => {
  const accepts = (text: string) => longText().safeParse(text).success
  expect(accepts('a'.repeat(MAX_BODY_BYTES))).toBe(true)
  expect(accepts('a'.repeat(MAX_BODY_BYTES + 1))).toBe(false)
  expect(accepts('ö'.repeat(MAX_BODY_BYTES / 2))).toBe(true)
  expect(accepts('ö'.repeat(MAX_BODY_BYTES / 2 + 1))).toBe(false)
  expect(longText().safeParse('€'.repeat(MAX_BODY_BYTES / 2)).error!.issues).toMatchObject([
    { message: 'must be at most 1048576 bytes in UTF-8' },
  ])
})

it('a line has a maximum of its own', () => {
  expect(storableText(3).safeParse('abc').success).toBe(true)
  expect(storableText(3).safeParse('abcd').success).toBe(false)
  expect(storableText(3).safeParse('\0').success).toBe(false)
})
