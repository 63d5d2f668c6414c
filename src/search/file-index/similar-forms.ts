import { countBits, letterBits } from '../rules/edit-distance'
import { ByteReader, ByteWriter } from './byte-codec'
import type { FrameFile, FrameWriter } from './frame-file'

/**
 * The forms of one length, so that a typing mistake can be corrected without reading the whole vocabulary: the letter bits of each form,
 * four bytes, then their texts one after the other. Forms with other characters than those of Latin-1 take two bytes for a character, and
 * have a list of their own.
 */
export interface ListedForms {
  bits: Uint32Array
  textAt(position: number): string
}

/** The key of a list, without its kind. */
export function formsListKey(length: number, isWide: boolean): string {
  return `${length}${isWide ? 'w' : ''}`
}

/** Writes the lists of these forms. Returns where they are, by key. */
export function writeFormsByLength(frames: FrameWriter, forms: Iterable<string>): Map<string, Buffer> {
  const lists = new Map<string, string[]>()
  for (const form of forms) {
    const key = formsListKey(form.length, isWide(form))
    const list = lists.get(key)
    if (list === undefined) lists.set(key, [form])
    else list.push(form)
  }
  return new Map([...lists].map(([key, list]) => [key, writeList(frames, list)]))
}

function isWide(form: string): boolean {
  for (let i = 0; i < form.length; i++) if (form.charCodeAt(i) > 0xff) return true
  return false
}

const writer = new ByteWriter()

function writeList(frames: FrameWriter, forms: readonly string[]): Buffer {
  const bits = Uint32Array.from(forms, letterBits)
  const texts = Buffer.from(forms.join(''), isWide(forms[0]!) ? 'utf16le' : 'latin1')
  const { offset, length } = frames.write(Buffer.concat([Buffer.from(bits.buffer), texts]))
  for (const number of [offset, length, forms.length]) writer.number(number)
  return writer.take()
}

export function readFormsOfLength(
  frames: FrameFile,
  value: Buffer,
  { length, isWide }: { length: number; isWide: boolean },
): ListedForms {
  const reader = new ByteReader(value)
  const bytes = frames.read({ offset: reader.number(), length: reader.number() })
  const count = reader.number()
  const bits = new Uint32Array(bytes.buffer, bytes.byteOffset, count)
  const size = length * (isWide ? 2 : 1)
  const encoding = isWide ? 'utf16le' : 'latin1'
  const textAt = (position: number) => {
    const start = bits.byteLength + position * size
    return bytes.toString(encoding, start, start + size)
  }
  return { bits, textAt }
}

/** The forms that may be so many edits away from a word with these letter bits. */
export function selectSimilar({ bits, textAt }: ListedForms, letters: number, edits: number): string[] {
  return findWithin(bits, letters, 2 * edits).map(textAt)
}

/** Goes over tens of thousands of forms. */
function findWithin(bits: Uint32Array, letters: number, mostBits: number): number[] {
  const found: number[] = []
  for (let i = 0; i < bits.length; i++) if (countBits(bits[i]! ^ letters) <= mostBits) found.push(i)
  return found
}
