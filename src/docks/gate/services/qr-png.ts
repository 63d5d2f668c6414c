import { deflateSync } from 'node:zlib'
import { crc32 } from '../../../kernel/crc32'
import { drawModules } from '../rules/qr-code'

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
