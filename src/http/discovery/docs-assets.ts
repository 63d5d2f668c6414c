import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** What the page of the API loads, by name; the build puts these files beside its chunks. */
export const docsAssets: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css',
  'swagger-ui-bundle.js': 'text/javascript',
}

export async function readDocsAsset(name: string): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await readFile(join(import.meta.dirname, name)).catch(() => readFile(join(packageFolder(), name)))
  return new Uint8Array(bytes)
}

/** From source there is no build yet: the files are still in their package. */
function packageFolder(): string {
  return dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
}
