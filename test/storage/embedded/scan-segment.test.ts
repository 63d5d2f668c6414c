import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeHead, encodeRecord, HEAD_BYTES } from '../../../src/storage/embedded/log-record'
import { type LogCursor, scanSegment, startOfSegment } from '../../../src/storage/embedded/scan-segment'

const by = (name: string) => ({ writer: Buffer.from(name.padEnd(8)), sealed: false, at: 0 })

/** A log as one writer after the other makes it. */
function logOf(payloads: readonly string[], segment = 1): { bytes: Buffer; places: LogCursor[] } {
  let place = startOfSegment(segment)
  const places = [place]
  const records = payloads.map((payload) => {
    const record = encodeRecord(place, payload, { ...by('a'), at: place.offset })
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

const textsOf = (bytes: Buffer, from = startOfSegment(1)) =>
  scanSegment(bytes, from).records.map(({ payload }) => payload.toString().trimEnd())

const payload = fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' }).map((text) => JSON.stringify(text))
const payloads = fc.array(payload, { minLength: 1, maxLength: 6 })

describe('a log that is read', () => {
  it('gives back what was written, in order, from wherever one is', () => {
    fc.assert(
      fc.property(payloads, fc.nat(), (texts, pick) => {
        const { bytes, places } = logOf(texts)
        const from = pick % places.length
        expect(scanSegment(bytes, startOfSegment(1))).toMatchObject({ flaw: null, cursor: places.at(-1)! })
        expect(textsOf(bytes)).toEqual(texts)
        expect(textsOf(bytes.subarray(places[from]!.offset), places[from])).toEqual(texts.slice(from))
      }),
    )
  })

  it('is cut where an append was cut off, wherever that was', () => {
    fc.assert(
      fc.property(payloads, fc.nat(), (texts, pick) => {
        const { bytes, places } = logOf(texts)
        const cut = pick % (bytes.length + 1)
        const whole = places.filter(({ offset }) => offset <= cut).length - 1
        const found = scanSegment(bytes.subarray(0, cut), startOfSegment(1))
        expect(found.flaw).toBeNull()
        expect(found.records).toHaveLength(whole)
        expect(found.cursor).toEqual(places[whole])
      }),
    )
  })

  it('passes over beginnings of records that came to nothing, and goes on behind them', () => {
    fc.assert(
      fc.property(payloads, payload, fc.nat(), (texts, more, pick) => {
        const { bytes, places } = logOf(texts)
        const record = encodeRecord(places.at(-1)!, more, by('b'))
        const torn = record.subarray(0, pick % record.length)
        expect(textsOf(Buffer.concat([bytes, torn, torn, record]))).toEqual([...texts, more])
      }),
    )
  })

  it('counts the first of two that followed the same commit, and never the second', () => {
    fc.assert(
      fc.property(payloads, payload, payload, payload, (texts, first, second, third) => {
        const { bytes, places } = logOf(texts)
        const place = places.at(-1)!
        const won = encodeRecord(place, first, by('b'))
        const lost = encodeRecord(place, second, by('c'))
        const after = encodeRecord(next(place, won), third, by('b'))
        expect(textsOf(Buffer.concat([bytes, won, lost]))).toEqual([...texts, first])
        expect(textsOf(Buffer.concat([bytes, won, lost, after]))).toEqual([...texts, first, third])
      }),
    )
  })

  it('has no byte that can be changed unseen', () => {
    const { bytes } = logOf(['{"sql":["a b"]}', '[1,2,3]', '"@ @"'])
    for (let at = 0; at < bytes.length; at++) {
      for (let bit = 0; bit < 8; bit++) {
        const changed = Buffer.from(bytes)
        changed[at]! ^= 1 << bit
        expect(scanSegment(changed, startOfSegment(1)).flaw, `byte ${at}, bit ${bit}`).not.toBeNull()
      }
    }
  })

  it('names the byte where a record is missing', () => {
    const { bytes, places } = logOf(['"one"', '"two"', '"three"'])
    const without = Buffer.concat([bytes.subarray(0, places[1]!.offset), bytes.subarray(places[2]!.offset)])
    expect(scanSegment(without, startOfSegment(1))).toMatchObject({ flaw: { offset: places[1]!.offset } })
  })

  it('takes sectors that never reached the disk for an append that was cut off', () => {
    const { bytes, places } = logOf(['"before"', JSON.stringify('x'.repeat(3_000))])
    for (const from of [places[1]!.offset, 512, 1024, 2048]) {
      const cut = Buffer.from(bytes)
      cut.fill(0, from, from === places[1]!.offset ? undefined : from + 512)
      expect(scanSegment(cut, startOfSegment(1))).toMatchObject({ flaw: null, cursor: places[1]! })
    }
  })

  it('does so for the first sector too, however little of it was left for the record', () => {
    for (let length = 1; length < 600; length++) {
      const { bytes, places } = logOf([JSON.stringify('x'.repeat(length)), JSON.stringify('y'.repeat(1_500))])
      const { offset } = places[1]!
      const cut = Buffer.from(bytes)
      cut.fill(0, offset, offset + (512 - (offset % 512)))
      expect(scanSegment(cut, startOfSegment(1)), `length ${length}`).toMatchObject({ flaw: null, cursor: places[1]! })
    }
  })

  it('does so for the last sector too, however little of the record reaches into it', () => {
    for (let length = 1; length < 600; length++) {
      const { bytes } = logOf([JSON.stringify('x'.repeat(length))])
      const cut = Buffer.from(bytes)
      cut.fill(0, bytes.length - (bytes.length % 512 || 512))
      expect(scanSegment(cut, startOfSegment(1)), `length ${length}`).toMatchObject({ flaw: null, records: [] })
    }
  })

  it('holds nothing behind the record that closes it', () => {
    const closing = encodeRecord(startOfSegment(1), '"last"', { ...by('a'), sealed: true })
    const more = encodeRecord(next(startOfSegment(1), closing), '"more"', by('a'))
    expect(scanSegment(closing, startOfSegment(1))).toMatchObject({ isSealed: true, flaw: null })
    expect(scanSegment(Buffer.concat([closing, more]), startOfSegment(1))).toMatchObject({
      flaw: { offset: closing.length },
    })
  })

  it('belongs to its segment', () => {
    expect(scanSegment(logOf(['"one"'], 2).bytes, startOfSegment(1)).flaw).not.toBeNull()
  })

  it('of a newer version is told from a damaged one', () => {
    const { bytes } = logOf(['"one"'])
    const newer = Buffer.from(bytes)
    newer.writeUInt8(2, 3)
    expect(scanSegment(newer, startOfSegment(1))).toMatchObject({ hasNewerVersion: false })
    const head = Buffer.from(newer.subarray(0, HEAD_BYTES))
    head.writeUInt32LE(crcOf(head.subarray(0, 36)), 36)
    expect(scanSegment(Buffer.concat([head, newer.subarray(HEAD_BYTES)]), startOfSegment(1))).toMatchObject({
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
