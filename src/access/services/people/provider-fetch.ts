import type { ProxySettings } from '../../../credentials'
import { memoizeAsync } from '../../../kernel/work/memoize-async'

/** More than any description, set of keys or token of a provider has. */
const MAX_BYTES = 1024 * 1024

/** Sends requests to the provider, through the proxies of the settings. An answer is held in memory, so its size is limited. */
export function createProviderFetch(proxy: ProxySettings | null): (url: string, options: object) => Promise<Response> {
  const open = memoizeAsync(async () => (await import('../../../credentials')).createProxyFetch(proxy))
  return async (url, options) => {
    const send = await open()
    const response = await send(url, options as RequestInit)
    const chunks: Uint8Array[] = []
    let bytes = 0
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length
      if (bytes > MAX_BYTES) throw new Error(`The answer of ${new URL(url).origin} is longer than ${MAX_BYTES} bytes.`)
      chunks.push(chunk)
    }
    const hasBody = ![204, 205, 304].includes(response.status)
    const headers = [...response.headers] as [string, string][]
    return new Response(hasBody ? Buffer.concat(chunks) : null, { status: response.status, headers })
  }
}
