import { crc32 as crc32OfNode } from 'node:zlib'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { crc32 } from '../../src/kernel/crc32'

it('is the checksum that Node.js computes, of bytes and of texts, also continued', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 300 }),
      fc.string(),
      fc.integer({ min: 0, max: 2 ** 32 - 1 }),
      (bytes, text, value) => {
        expect([crc32(bytes), crc32(bytes, value), crc32(text)]).toEqual([
          crc32OfNode(bytes),
          crc32OfNode(bytes, value),
          crc32OfNode(text),
        ])
      },
    ),
  )
})
