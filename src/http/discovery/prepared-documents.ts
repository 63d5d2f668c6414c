import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants } from 'node:zlib'
import { loadSettings } from '../../config'
import { errorCodeOf } from '../../kernel'
import { discoveryDocuments } from './documents'
import { factsHere } from './facts-here'
import type { ServiceFacts } from './service-facts'

/** What a prepared document may depend on. */
type Variant = Pick<ServiceFacts, 'baseUrl' | 'isOpen'>

/**
 * Documents that take seconds to write, as they describe every field of every call, by whether they depend on the caller. The build writes
 * them, so that no request waits for that: else they depend on nothing but the version and the base URL.
 */
const PREPARED: ReadonlyMap<string, { byCaller: boolean }> = new Map([
  ['/openapi.json', { byCaller: false }],
  ['/openapi.yaml', { byCaller: false }],
  ['/llms-full.txt', { byCaller: true }],
])

/** In place of the base URL in the files. */
const BASE_URL = 'http://base-url.invalid'

/** The files that the build puts beside its chunks. */
export async function prepareDocuments(version: string): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>()
  const here = await factsHere(loadSettings({ env: {}, cwd: '/' }), version)
  const openApi = here.openApi()
  for (const [path, { byCaller }] of PREPARED) {
    for (const isOpen of byCaller ? [true, false] : [false]) {
      const { write } = discoveryDocuments.find((document) => document.path === path)!
      const text = await write({ ...here, baseUrl: BASE_URL, isOpen, openApi: () => openApi })
      const params = { [constants.BROTLI_PARAM_QUALITY]: 9 }
      files.set(fileName(path, isOpen), await promisify(brotliCompress)(text, { params }))
    }
  }
  return files
}

/** A document as the build has written it; null for any other document, and from source. */
export async function readPrepared(path: string, { baseUrl, isOpen }: Variant): Promise<string | null> {
  if (!PREPARED.has(path)) return null
  const compressed = await readFile(join(import.meta.dirname, fileName(path, isOpen))).catch((error) => {
    if (errorCodeOf(error) === 'ENOENT') return null
    throw error
  })
  if (compressed === null) return null
  const text = await promisify(brotliDecompress)(compressed)
  return text.toString('utf8').replaceAll(BASE_URL, baseUrl)
}

function fileName(path: string, isOpen: boolean): string {
  const isForOpen = isOpen && PREPARED.get(path)!.byCaller
  return `${path.slice(1)}${isForOpen ? '.open' : ''}.br`
}
