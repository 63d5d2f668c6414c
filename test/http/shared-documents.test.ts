import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { assetUrl } from '../../src/console/assets'
import { encoders } from '../../src/http/answers/response-body'
import { served } from './served'

const SHARED = ['/openapi.json', '/openapi.yaml', '/llms.txt', '/llms-full.txt', '/docs/swagger-ui.css']

describe('what every caller may read', () => {
  it.each(SHARED)('has one content in every encoding, and a version: %s', async (path) => {
    const { call } = await served()
    const [plain, brotli, gzip] = await Promise.all(
      ['identity', 'br', 'gzip'].map((encoding) => call('GET', path, { headers: { 'accept-encoding': encoding } })),
    )
    expect([plain!.headers['content-encoding'], brotli!.headers['content-encoding']]).toEqual([undefined, 'br'])
    expect(brotliDecompressSync(brotli!.body).toString()).toBe(plain!.text)
    expect(gunzipSync(gzip!.body).toString()).toBe(plain!.text)
    expect(plain!.headers).toMatchObject({ vary: 'Accept-Encoding', 'cache-control': 'private, no-cache' })
    const etag = String(plain!.headers['etag'])
    expect(brotli!.headers['etag']).toBe(etag)
    const again = await call('GET', path, { headers: { 'if-none-match': etag } })
    expect(again).toMatchObject({ status: 304, text: '', headers: { etag } })
    const head = await call('HEAD', path)
    expect([head.status, head.text, head.headers['content-length']]).toEqual([
      200,
      '',
      String(Buffer.byteLength(plain!.text)),
    ])
  })

  it('is compressed once', async () => {
    const compress = vi.spyOn(encoders, 'br')
    onTestFinished(() => compress.mockRestore())
    const { call } = await served()
    const headers = { 'accept-encoding': 'br' }
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => call('GET', '/openapi.json', { headers })))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(compress).toHaveBeenCalledTimes(1)
  })

  it('is immutable where its address names its content', async () => {
    const { call } = await served()
    expect(await call('GET', assetUrl('console.css'), { headers: { 'accept-encoding': 'br' } })).toMatchObject({
      status: 200,
      headers: { 'content-encoding': 'br', 'cache-control': 'public, max-age=31536000, immutable' },
    })
  })
})
