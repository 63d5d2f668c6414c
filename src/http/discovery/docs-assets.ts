import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Nothing from other hosts, nothing inline, and no frames. */
export const DOCS_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** A narrow screen shows a heading above its description. */
const DOCS_STYLE = `body { margin: 0; }
@media (max-width: 640px) {
  .swagger-ui .opblock-tag { flex-wrap: wrap; }
  .swagger-ui .opblock-tag > a { flex: 1; }
  .swagger-ui .opblock-tag > small { flex: 1 0 100%; order: 1; padding: 4px 0 0; }
  .swagger-ui .filter .operation-filter-input { width: 100%; box-sizing: border-box; }
  .swagger-ui .opblock .opblock-summary-description { padding: 0 10px; }
}
`

const DOCS_START = `const dark = matchMedia('(prefers-color-scheme: dark)')
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', follow)
follow()
SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#api',
  presets: [SwaggerUIBundle.presets.apis],
  layout: 'BaseLayout',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  filter: true,
  showExtensions: true,
  tryItOutEnabled: true,
  validatorUrl: null,
})
`

/** The files that the page loads. The build puts those of the package beside its chunks. */
export const docsAssets: Record<string, { mediaType: string; load(): Promise<string | Uint8Array<ArrayBuffer>> }> = {
  'swagger-ui.css': { mediaType: 'text/css', load: () => readPackaged('swagger-ui.css') },
  'swagger-ui-bundle.js': { mediaType: 'text/javascript', load: () => readPackaged('swagger-ui-bundle.js') },
  'page.css': { mediaType: 'text/css', load: async () => DOCS_STYLE },
  'start.js': { mediaType: 'text/javascript', load: async () => DOCS_START },
}

async function readPackaged(name: string): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await readFile(join(import.meta.dirname, name)).catch(() => readFile(join(packageFolder(), name)))
  return new Uint8Array(bytes)
}

/** From source there is no build yet: the files are still in their package. */
function packageFolder(): string {
  return dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
}
