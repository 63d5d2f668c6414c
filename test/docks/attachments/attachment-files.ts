/** The beginnings of files, by the last part of their media type. */
export const files = {
  pdf: Buffer.from('%PDF-1.7\n%\u00e2\u00e3\n', 'latin1'),
  jpeg: Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0]),
  png: Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'),
  webp: Buffer.from('RIFF\x24\0\0\0WEBPVP8 ', 'latin1'),
  heic: Buffer.from('\0\0\0\x18ftypheic\0\0\0\0', 'latin1'),
}

export const MAX_BYTES = 5 * 1024 * 1024

export const toBase64 = (bytes: Buffer) => bytes.toString('base64')
