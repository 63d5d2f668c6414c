import { createHash } from 'node:crypto'
import type { Searchable } from '../items'
import { htmlToPlainText, markdownToPlainText } from '../sanitize'
import { entityOf } from './entity'
import { FINGERPRINT_BYTES } from './index-file/segment-builder'

/** Of a searchable as it is kept: another one is made of other texts or values. */
export function fingerprintOf(searchable: Searchable): Buffer {
  return createHash('sha1').update(JSON.stringify(searchable)).digest().subarray(0, FINGERPRINT_BYTES)
}

/** What is put into the index for it. */
export function freshOf(searchable: Searchable, fingerprint = fingerprintOf(searchable)) {
  const entity = entityOf(searchable, ({ format, text }) =>
    format === 'html' ? htmlToPlainText(text) : markdownToPlainText(text),
  )
  return { entity, fingerprint }
}
