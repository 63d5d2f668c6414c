import { deflateSync } from 'node:zlib'
import { encode } from 'uqr'
import { crc32 } from '../../../src/kernel/crc32'
import { escapeHtml } from '../../../src/kernel/text/text'

/** Readers need four light modules around the code. */
const BORDER = 4
/** A poster may be dirty: a quarter of the code can be unreadable. */
const ERROR_CORRECTION = 'Q'

/** The rows of a code with its border; true is dark. */
function drawModules(text: string): boolean[][] {
  return encode(text, { ecc: ERROR_CORRECTION, border: BORDER }).data
}

/** The code as a drawing that scales, with a line of text above it. */
export function drawQrSvg(text: string, title: string): string {
  const modules = drawModules(text)
  const size = modules.length
  const head = 6
  const dark = modules.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y + head}h1v1h-1z` : [])))
  const label = escapeHtml(title)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size + head}" role="img" aria-label="${label}" shape-rendering="crispEdges">`,
    `<rect width="${size}" height="${size + head}" fill="#fff"/>`,
    `<text x="${size / 2}" y="5" text-anchor="middle" font-size="3" font-family="system-ui, 'Segoe UI', 'DejaVu Sans', Arial, sans-serif"${fitting(title, size)}>${label}</text>`,
    `<path d="${dark.join('')}"/>`,
    '</svg>\n',
  ].join('\n')
}

/** A long title is made narrower. A character is about half as wide as high. */
function fitting(title: string, size: number): string {
  const room = size - 2 * BORDER
  return title.length * 1.6 > room ? ` textLength="${room}" lengthAdjust="spacingAndGlyphs"` : ''
}

/** Pixels of a module. */
const SCALE = 12

/** The code as a PNG image with one bit for each pixel. */
export function drawQrPng(text: string): Uint8Array {
  const modules = drawModules(text)
  const width = modules.length * SCALE
  const lines = modules.map((row) => {
    const line = new Uint8Array(1 + Math.ceil(width / 8)) // the first byte is the filter of the line: none
    for (let x = 0; x < width; x++) if (!row[Math.floor(x / SCALE)]) line[1 + (x >> 3)]! |= 0x80 >> (x & 7)
    return line
  })
  const pixels = Buffer.concat(lines.flatMap((line) => Array<Uint8Array>(SCALE).fill(line)))
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(width, 4)
  header[8] = 1 // bits of a pixel, which is a shade of grey
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const whole = Buffer.alloc(body.length + 8)
  whole.writeUInt32BE(data.length, 0)
  body.copy(whole, 4)
  whole.writeUInt32BE(crc32(body), body.length + 4)
  return whole
}
