import type { AnyOperation } from '../../kernel'
import type { AppContext } from '../app-env'
import { matchesEtag, notModifiedHeaders } from './response-body'

/** A file as an operation answers it. */
export interface AnsweredFile {
  name: string
  /** Media type. */
  type: string
  /** Hexadecimal. */
  sha256: string
  /** In Base64. */
  content: string
}

export function isFileAnswer(op: AnyOperation, answer: unknown): answer is AnsweredFile {
  return op.http?.answersFile === true && typeof answer === 'object'
}

/**
 * A file for a browser or a program to save. It came from outside: no browser shows it as a page of this service, whatever is in it.
 */
export function fileResponse(c: AppContext, { name, type, sha256, content }: AnsweredFile): Response {
  const etag = `"${sha256}"`
  if (matchesEtag(c.req.header('if-none-match'), etag)) return c.body(null, 304, notModifiedHeaders(etag))
  const bytes = Buffer.from(content, 'base64')
  return c.body(new Uint8Array(bytes), 200, {
    'Content-Type': type,
    'Content-Length': String(bytes.length),
    'Content-Disposition': formatDisposition(name),
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'private, no-cache',
    ETag: etag,
  })
}

/** RFC 6266: the name in ASCII, and as it is. */
function formatDisposition(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const whole = encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)
  return `attachment; filename="${ascii}"; filename*=UTF-8''${whole}`
}
