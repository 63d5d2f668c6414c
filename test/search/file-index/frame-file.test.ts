import { statSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FrameFile, FrameWriter, realIndexDisk } from '../../../src/search/file-index/frame-file'
import { temporaryFolder } from '../../temporary-folder'

const MIB = 1024 * 1024

describe('a file of frames', () => {
  it('returns what was written, in chunks of any size', () => {
    const folder = temporaryFolder()
    const text = fc.tuple(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 3 }), fc.nat(20_000))
    const bytes = fc.constantFrom(0, 1, 16 * 1024 - 4, 16 * 1024, MIB - 4, MIB - 3, MIB, 2 * MIB + 1)
    const content = fc.oneof(
      text.map(([unit, times]) => unit.repeat(times)),
      bytes.map((length) => Buffer.alloc(length, length)),
    )
    let runs = 0
    fc.assert(
      fc.property(fc.array(content, { maxLength: 12 }), (contents) => {
        const path = join(folder, `${runs++}`)
        const writer = new FrameWriter(path, realIndexDisk)
        const spans = contents.map((one) => writer.write(one))
        writer.close()
        expect(statSync(path).size).toBe(writer.length)
        const file = new FrameFile(path)
        for (const [i, one] of contents.entries()) expect(file.read(spans[i]!).equals(Buffer.from(one))).toBe(true)
        file.close()
      }),
      { numRuns: 40 },
    )
  })

  it('is closed once, also when the disk is full and its writer is abandoned after that', () => {
    const closed: number[] = []
    const full = {
      ...realIndexDisk,
      append() {
        throw new Error('no space')
      },
      close(fd: number) {
        closed.push(fd)
        realIndexDisk.close(fd)
      },
    }
    const writer = new FrameWriter(join(temporaryFolder(), 'full'), full)
    writer.write('text')
    expect(() => writer.close()).toThrow('no space')
    writer.abandon()
    expect(closed).toHaveLength(1)
  })
})
