import { randomUUID } from 'node:crypto'
import type { UploadContent } from '../../tracker-parts'

/** The body of a form with one file, as RFC 7578 describes it, in pieces. The file is the last part. */
export function createMultipart(
  fields: Readonly<Record<string, string>>,
  file: { field: string; name: string; mediaType: string; content: UploadContent },
): { content: UploadContent; contentType: string } {
  const boundary = `studio-${randomUUID()}`
  const texts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${quote(name)}"\r\n\r\n${value}\r\n`,
  )
  const head =
    `--${boundary}\r\nContent-Disposition: form-data; name="${quote(file.field)}"; filename="${quote(file.name)}"\r\n` +
    `Content-Type: ${file.mediaType}\r\n\r\n`
  const before = Buffer.from(`${texts.join('')}${head}`)
  const after = Buffer.from(`\r\n--${boundary}--\r\n`)
  const content = {
    size: before.length + file.content.size + after.length,
    async *open() {
      yield before
      yield* file.content.open()
      yield after
    },
  }
  return { content, contentType: `multipart/form-data; boundary=${boundary}` }
}

/** Browsers write these three characters so. */
function quote(name: string): string {
  return name.replace(/\r\n?|\n/g, '%0D%0A').replaceAll('"', '%22')
}
