import fc from 'fast-check'
import { expect, it } from 'vitest'
import { cleanFileName, MAX_NAME_LENGTH } from '../../../src/docks/attachments/rules/file-name'
import { fileTypeNames, fileTypes } from '../../../src/docks/attachments/rules/file-type'

it.each([
  ['BOL 4711.pdf', 'BOL 4711.pdf'],
  ['BOL.PDF', 'BOL.PDF'],
  ['Lieferschein Größe 日本.pdf', 'Lieferschein Größe 日本.pdf'],
  ['bill.html', 'bill.html.pdf'],
  ['photo.jpg', 'photo.jpg.pdf'],
  ['../../etc/passwd', 'passwd.pdf'],
  ['C:\\Users\\ana\\bol.pdf', 'bol.pdf'],
  ['.pdf', 'pdf.pdf'],
  ['..', 'attachment.pdf'],
  ['.hidden.pdf', 'hidden.pdf'],
  ['bol . .pdf', 'bol.pdf'],
  ['bol\u202efdp.exe', 'bolfdp.exe.pdf'],
  ['a\u0000b\u001b[31mc\u200b.pdf', 'ab[31mc.pdf'],
  ['a\nb.pdf', 'ab.pdf'],
  ['<a href="x">?*|.pdf', 'a href=x.pdf'],
  ['', 'attachment.pdf'],
  [undefined, 'attachment.pdf'],
  ['x'.repeat(300), `${'x'.repeat(96)}.pdf`],
])('%j of a PDF is %j', (given, cleaned) => {
  expect(cleanFileName(given, 'application/pdf')).toBe(cleaned)
})

it('is short, has no folder and no control character, and an extension of the type, for every name', () => {
  const names = fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.string({ unit: 'grapheme', maxLength: 300 }))
  fc.assert(
    fc.property(names, fc.constantFrom(...fileTypeNames), (given, type) => {
      const name = cleanFileName(given, type)
      expect(name.length).toBeLessThanOrEqual(MAX_NAME_LENGTH)
      expect(name).not.toMatch(/[/\\\p{C}<>:"|?*]|^[. ]|[. ]$/u)
      expect(fileTypes[type].some((extension) => name.toLowerCase().endsWith(`.${extension}`))).toBe(true)
      expect(cleanFileName(name, type)).toBe(name)
    }),
  )
})
