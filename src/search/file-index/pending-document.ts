import { createHash } from 'node:crypto'
import type { Searchable } from '../../items'
import { htmlToPlainText, markdownToPlainText } from '../../sanitize'
import { toEntity } from '../services/entity'
import { FINGERPRINT_BYTES } from './segment-builder'

/** Of a searchable as it is kept: another one is made of other texts or values. */
export function computeFingerprint(searchable: Searchable): Buffer {
  return createHash('sha1').update(JSON.stringify(searchable)).digest().subarray(0, FINGERPRINT_BYTES)
}

/** What is put into the index for it. */
export function toPendingDocument(searchable: Searchable, fingerprint = computeFingerprint(searchable)) {
  const entity = toEntity(searchable, ({ format, text }) =>
    format === 'html' ? htmlToPlainText(text) : markdownToPlainText(text),
  )
  return { entity, fingerprint }
}
