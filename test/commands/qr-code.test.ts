import { inflateSync } from 'node:zlib'
import { parseFragment } from 'parse5'
import { encode } from 'uqr'
import { describe, expect, it } from 'vitest'
import { renderReferencePng, renderReferenceSvg } from '../../commands/views/docks/reference-code'
import { drawQrSvgFile } from '../../src/docks/gate/rules/qr-code'
import { drawQrPng } from '../../src/docks/gate/services/qr-png'
import { crc32 } from '../../src/kernel/crc32'

const LINK = 'https://docks.example.com/gate#studio_gat_X3mCvEL4c41CXTbEn3m90nDY0MRFAm4M0mD3'
/** What a reader must see, with the light border that it needs. */
const modules = encode(LINK, { ecc: 'Q', border: 4 }).data

describe('the QR code of a link', () => {
  it('is the same in a PNG: each module is a square of twelve pixels', () => {
    const png = Buffer.from(drawQrPng(LINK))
    expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n')
    const chunks = new Map<string, Buffer>()
    for (let at = 8; at < png.length; ) {
      const length = png.readUInt32BE(at)
      const body = png.subarray(at + 4, at + 8 + length)
      expect(png.readUInt32BE(at + 8 + length)).toBe(crc32(body))
      chunks.set(body.subarray(0, 4).toString(), body.subarray(4))
      at += 12 + length
    }
    expect([...chunks.keys()]).toEqual(['IHDR', 'IDAT', 'IEND'])
    const header = chunks.get('IHDR')!
    const width = header.readUInt32BE(0)
    expect([width, header.readUInt32BE(4), header[8], header[9]]).toEqual([modules.length * 12, width, 1, 0])
    const pixels = inflateSync(chunks.get('IDAT')!)
    const line = 1 + Math.ceil(width / 8)
    expect(pixels).toHaveLength(line * width)
    const isDark = (x: number, y: number) => (pixels[y * line + 1 + (x >> 3)]! & (0x80 >> (x & 7))) === 0
    for (const offset of [0, 11])
      expect(modules.map((row, y) => row.map((_, x) => isDark(x * 12 + offset, y * 12 + offset)))).toEqual(modules)
  })

  it('is the same in an SVG, with the name of the facility as text', () => {
    const svg = drawQrSvgFile(LINK, 'North <Site> & "Co"')
    const drawn = new Set([...svg.matchAll(/M(\d+) (\d+)h1v1h-1z/g)].map(([, x, y]) => `${x} ${Number(y) - 6}`))
    const dark = modules.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`${x} ${y}`] : [])))
    expect([...drawn].sort()).toEqual(dark.sort())
    const [element] = parseFragment(svg.slice(svg.indexOf('<svg'))).childNodes as any[]
    expect(element.attrs.find(({ name }: any) => name === 'aria-label').value).toBe('North <Site> & "Co"')
    expect(svg).not.toContain('<Site>')
  })

  it('is readable with a quarter of it missing, and has a light border of four modules', () => {
    const size = modules.length
    for (let i = 0; i < 4; i++)
      expect(
        [modules[i]!, modules[size - 1 - i]!]
          .flat()
          .concat(modules.flatMap((row) => [row[i]!, row[size - 1 - i]!]))
          .some(Boolean),
      ).toBe(false)
  })
})

describe('the QR code of an appointment', () => {
  it('is its reference, for a scanner that types it', () => {
    const appointment = { referenceNumber: 'PO-1001' }
    expect(renderReferencePng(appointment)).toEqual(drawQrPng('PO-1001'))
    expect(renderReferenceSvg(appointment)).toBe(drawQrSvgFile('PO-1001', 'PO-1001'))
  })
})
