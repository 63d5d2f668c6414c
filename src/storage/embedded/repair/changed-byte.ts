import { crc32 } from '../../../kernel/crc32'

/**
 * The one byte by which a page differs from the page with this CRC-32: where it is, and the bits that changed; null if more than one
 * byte has changed. CRC-32 is linear, so the difference of two checksums tells the difference of two pages. Another change has the same
 * difference in one case of 4,000.
 */
export function findChangedByte(page: Uint8Array, checksum: number): { at: number; bits: number } | null {
  let difference = (crc32(page) ^ checksum) >>> 0
  for (let at = page.length - 1; at >= 0; at--) {
    const bits = BITS_OF_LAST_BYTE.get(difference)
    if (bits !== undefined) return { at, bits }
    difference = takeBackZero(difference)
  }
  return null
}

/** What a change of the last byte does to a checksum. */
const OF_LAST_BYTE = Uint32Array.from({ length: 256 }, (_, bits) => crc32(Buffer.of(bits)) ^ crc32(Buffer.of(0)))
const BITS_OF_LAST_BYTE = new Map([...OF_LAST_BYTE].map((difference, bits) => [difference, bits]))
/** The highest byte is different in each of them. */
const BITS_OF_HIGHEST = Uint8Array.from(
  [...OF_LAST_BYTE.keys()].sort((one, other) => OF_LAST_BYTE[one]! - OF_LAST_BYTE[other]!),
)

/** The difference of two checksums before a byte was added that is the same in both. */
function takeBackZero(difference: number): number {
  const bits = BITS_OF_HIGHEST[difference >>> 24]!
  return (((difference ^ OF_LAST_BYTE[bits]!) << 8) | bits) >>> 0
}
