import { memoizeAsync } from '../../kernel/work/memoize-async'
import type { AppContext } from '../app-env'
import { chooseEncoding, createEtag, type Encoding, encoders, MIN_COMPRESSED_BYTES, matchesEtag } from './response-body'

type Bytes = Uint8Array<ArrayBuffer>

/** A body that many callers get: compressed once for each encoding, and with a version, so that a caller who has that gets 304. */
export class SharedBody {
  readonly #etag: string
  readonly #encoded = new Map<Encoding, () => Promise<Bytes>>()

  constructor(private readonly plain: Bytes) {
    this.#etag = createEtag(plain)
  }

  async answer(c: AppContext, headers: Record<string, string>): Promise<Response> {
    const own = { 'Cache-Control': 'private, no-cache', ...headers, ETag: this.#etag }
    if (matchesEtag(c.req.header('if-none-match'), this.#etag)) return c.body(null, 304, own)
    const isSmall = this.plain.length < MIN_COMPRESSED_BYTES
    const encoding = isSmall ? null : chooseEncoding(c.req.header('accept-encoding'))
    const bytes = encoding === null ? this.plain : await this.#encode(encoding)
    const ofEncoding: Record<string, string> = encoding === null ? {} : { 'Content-Encoding': encoding }
    const length = { 'Content-Length': String(bytes.length) }
    return c.body(bytes, 200, { ...own, ...ofEncoding, ...length })
  }

  #encode(encoding: Encoding): Promise<Bytes> {
    const encoded =
      this.#encoded.get(encoding) ??
      memoizeAsync(async () => {
        const plain = Buffer.from(this.plain.buffer, this.plain.byteOffset, this.plain.length)
        return new Uint8Array(await encoders[encoding](plain))
      })
    this.#encoded.set(encoding, encoded)
    return encoded()
  }
}
