import fc from 'fast-check'
import { expect, it } from 'vitest'
import { jsonPieces } from '../../src/http/answers/json-pieces'
import { writeInTurns } from '../../src/http/answers/large-answers'
import { createEtag } from '../../src/http/answers/response-body'

it('an answer in pieces has the text of JSON.stringify, and its hash', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), async (value) => {
      const text = JSON.stringify(value)
      const { pieces, length, hash } = await writeInTurns(structuredClone(value), new AbortController().signal)
      expect(Buffer.concat(pieces).toString()).toBe(text)
      expect(length).toBe(Buffer.byteLength(text))
      expect(`W/"${hash}"`).toBe(createEtag(text))
    }),
  )
})

it('a field or an entry that is undefined is as in JSON.stringify', () => {
  const value = { a: undefined, list: [undefined, { b: undefined }], c: 1 }
  expect([...jsonPieces(structuredClone(value))].join('')).toBe(JSON.stringify(value))
})

it('a long entry is a piece of its own, and short ones are together', () => {
  const list = [...Array(1_000).fill('short'), 'x'.repeat(100_000), 'y'.repeat(100_000)]
  expect([...jsonPieces([...list])].map(({ length }) => length > 90_000)).toEqual([false, true, false, true, false])
})

it('the same text of several answers is in memory once', async () => {
  const answer = () => [{ text: 'x'.repeat(100_000) }]
  const [a, b] = await Promise.all([1, 2].map(() => writeInTurns(answer(), new AbortController().signal)))
  expect(a!.pieces[1]).toBe(b!.pieces[1])
})
