import { describe, expect, it } from 'vitest'
import { chooseMediaType } from '../../../src/kernel/files/file-type'

const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
const TEXT = Buffer.from('a text')

describe('the type of a file', () => {
  it('is what its first bytes say, else what its name says', () => {
    expect(chooseMediaType('shot.txt', PNG)).toBe('image/png')
    expect(chooseMediaType('Notes.TXT', TEXT)).toBe('text/plain')
  })

  it.each(['notes', 'a.unknown', 'constructor', 'a.toString', '__proto__', 'a.'])('is not known of %s', (name) => {
    expect(chooseMediaType(name, TEXT)).toBe('application/octet-stream')
  })
})
