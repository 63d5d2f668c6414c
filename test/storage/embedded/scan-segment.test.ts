import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeHead, encodeRecord, HEAD_BYTES } from '../../../src/storage/embedded/log/log-record'
import { type LogCursor, scanSegment, startOfSegment } from '../../../src/storage/embedded/log/scan-segment'

const by = (name: string) => ({ writer: Buffer.from(name.padEnd(8)), sealed: false, at: 0 })

/** Builds a log of consecutive commits. */
function logOf(payloads: readonly string[], segment = 1): { bytes: Buffer; places: LogCursor[] } {
  let place = startOfSegment(segment, 0)
  const places = [place]
  const records = payloads.map((payload) => {
    const record = encodeRecord(place, Buffer.from(payload), { ...by('a'), at: place.offset })
    place = next(place, record)
    places.push(place)
    return record
  })
  return { bytes: Buffer.concat(records), places }
}

const next = (place: LogCursor, record: Buffer): LogCursor => ({
  segment: place.segment,
  index: place.index + 1,
  previous: decodeHead(record, 0)!.checksum,
  offset: place.offset + record.length,
})

const textsOf = (bytes: Buffer, from = startOfSegment(1, 0)) =>
  scanSegment(bytes, from).records.map(({ payload }) => payload.toString().trimEnd())

const payload = fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' }).map((text) => JSON.stringify(text))
const payloads = fc.array(payload, { minLength: 1, maxLength: 6 })

describe('reading a log', () => {
  it('returns the written commits in order, from any position', () => {
    fc.assert(
      fc.property(payloads, fc.nat(), (texts, pick) => {
        const { bytes, places } = logOf(texts)
        const from = pick % places.length
        expect(scanSegment(bytes, startOfSegment(1, 0))).toMatchObject({ flaw: null, cursor: places.at(-1)! })
        expect(textsOf(bytes)).toEqual(texts)
        expect(textsOf(bytes.subarray(places[from]!.offset), places[from])).toEqual(texts.slice(from))
      }),
    )
  })

  it('stops at an incomplete append, at any length', () => {
    fc.assert(
      fc.property(payloads, fc.nat(), (texts, pick) => {
        const { bytes, places } = logOf(texts)
        const cut = pick % (bytes.length + 1)
        const whole = places.filter(({ offset }) => offset <= cut).length - 1
        const found = scanSegment(bytes.subarray(0, cut), startOfSegment(1, 0))
        expect(found.flaw).toBeNull()
        expect(found.records).toHaveLength(whole)
        expect(found.cursor).toEqual(places[whole])
      }),
    )
  })

  it('skips incomplete records and continues after them', () => {
    fc.assert(
      fc.property(payloads, payload, fc.nat(), (texts, more, pick) => {
        const { bytes, places } = logOf(texts)
        const record = encodeRecord(places.at(-1)!, Buffer.from(more), by('b'))
        const torn = record.subarray(0, pick % record.length)
        expect(textsOf(Buffer.concat([bytes, torn, torn, record]))).toEqual([...texts, more])
      }),
    )
  })

  it('applies the first of two records with the same predecessor, and never the second', () => {
    fc.assert(
      fc.property(payloads, payload, payload, payload, (texts, first, second, third) => {
        const { bytes, places } = logOf(texts)
        const place = places.at(-1)!
        const won = encodeRecord(place, Buffer.from(first), by('b'))
        const lost = encodeRecord(place, Buffer.from(second), by('c'))
        const after = encodeRecord(next(place, won), Buffer.from(third), by('b'))
        expect(textsOf(Buffer.concat([bytes, won, lost]))).toEqual([...texts, first])
        expect(textsOf(Buffer.concat([bytes, won, lost, after]))).toEqual([...texts, first, third])
      }),
    )
  })

  it('detects a change of any byte', () => {
    const { bytes } = logOf(['{"sql":["a b"]}', '[1,2,3]', '"@ @"'])
    for (let at = 0; at < bytes.length; at++) {
      for (let bit = 0; bit < 8; bit++) {
        const changed = Buffer.from(bytes)
        changed[at]! ^= 1 << bit
        expect(scanSegment(changed, startOfSegment(1, 0)).flaw, `byte ${at}, bit ${bit}`).not.toBeNull()
      }
    }
  })

  it('reports the position of a missing record', () => {
    const { bytes, places } = logOf(['"one"', '"two"', '"three"'])
    const without = Buffer.concat([bytes.subarray(0, places[1]!.offset), bytes.subarray(places[2]!.offset)])
    expect(scanSegment(without, startOfSegment(1, 0))).toMatchObject({ flaw: { offset: places[1]!.offset } })
  })

  it('treats unwritten sectors as an incomplete append', () => {
    const { bytes, places } = logOf(['"before"', JSON.stringify('x'.repeat(3_000))])
    for (const from of [places[1]!.offset, 512, 1024, 2048]) {
      const cut = Buffer.from(bytes)
      cut.fill(0, from, from === places[1]!.offset ? undefined : from + 512)
      expect(scanSegment(cut, startOfSegment(1, 0))).toMatchObject({ flaw: null, cursor: places[1]! })
    }
  })

  it('treats an unwritten first sector as an incomplete append, however little of the record is in it', () => {
    for (let length = 1; length < 600; length++) {
      const { bytes, places } = logOf([JSON.stringify('x'.repeat(length)), JSON.stringify('y'.repeat(1_500))])
      const { offset } = places[1]!
      const cut = Buffer.from(bytes)
      cut.fill(0, offset, offset + (512 - (offset % 512)))
      expect(scanSegment(cut, startOfSegment(1, 0)), `length ${length}`).toMatchObject({
        flaw: null,
        cursor: places[1]!,
      })
    }
  })

  it('treats an unwritten last sector as an incomplete append, however little of the record is in it', () => {
    for (let length = 1; length < 600; length++) {
      const { bytes } = logOf([JSON.stringify('x'.repeat(length))])
      const cut = Buffer.from(bytes)
      cut.fill(0, bytes.length - (bytes.length % 512 || 512))
      expect(scanSegment(cut, startOfSegment(1, 0)), `length ${length}`).toMatchObject({ flaw: null, records: [] })
    }
  })

  it('ignores everything after the record that closes the segment', () => {
    const closing = encodeRecord(startOfSegment(1, 0), Buffer.from('"last"'), { ...by('a'), sealed: true })
    const more = encodeRecord(next(startOfSegment(1, 0), closing), Buffer.from('"more"'), by('a'))
    expect(scanSegment(closing, startOfSegment(1, 0))).toMatchObject({ isSealed: true, flaw: null })
    expect(scanSegment(Buffer.concat([closing, more]), startOfSegment(1, 0))).toMatchObject({
      flaw: { offset: closing.length },
    })
  })

  it('rejects a record of another segment', () => {
    expect(scanSegment(logOf(['"one"'], 2).bytes, startOfSegment(1, 0)).flaw).not.toBeNull()
  })

  it('distinguishes a newer version from damage', () => {
    const { bytes } = logOf(['"one"'])
    const newer = Buffer.from(bytes)
    newer.writeUInt8(3, 8)
    expect(scanSegment(newer, startOfSegment(1, 0))).toMatchObject({ hasNewerVersion: false })
    const head = Buffer.from(newer.subarray(0, HEAD_BYTES))
    head.writeUInt32LE(crcOf(head.subarray(0, 40)), 40)
    expect(scanSegment(Buffer.concat([head, newer.subarray(HEAD_BYTES)]), startOfSegment(1, 0))).toMatchObject({
      hasNewerVersion: true,
    })
  })
})

function crcOf(bytes: Buffer): number {
  let crc = ~0
  for (const byte of bytes) {
    crc ^= byte
    for (let k = 0; k < 8; k++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  return ~crc >>> 0
}
