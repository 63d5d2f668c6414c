import { copyFile, readFile, rm, writeFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const { version } = JSON.parse(await readFile('package.json', 'utf8'))

const common = {
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  external: ['pg-native'], // an option of pg that is never taken
  logLevel: 'warning',
}

/** The list of commands, worked out once from the catalog, so that a start need not load it. */
async function deriveManifest() {
  const outfile = 'dist/derive-manifest.mjs'
  await build({ ...common, entryPoints: ['commands/derive-manifest.ts'], outfile, packages: 'external' })
  const { deriveManifest } = await import(pathToFileURL(outfile).href)
  await rm(outfile)
  return deriveManifest()
}

/** The licences of what is bundled, as they ask for. */
async function writeNotices(metafile) {
  const folders = new Set()
  for (const input of Object.keys(metafile.inputs)) {
    const found = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)
    if (found) folders.add(found[1])
  }
  const notices = await Promise.all([...folders].sort().map(noticeOf))
  await writeFile('dist/THIRD-PARTY-LICENSES.txt', notices.join('\n\n'))
}

async function noticeOf(folder) {
  const { name, version, license } = JSON.parse(await readFile(`${folder}/package.json`, 'utf8'))
  for (const file of ['LICENSE', 'license', 'LICENSE.md', 'LICENSE.txt', 'License', 'LICENCE', 'license.md']) {
    const text = await readFile(`${folder}/${file}`, 'utf8').catch(() => null)
    if (text) return `=== ${name} ${version} ===\n\n${text.trim()}`
  }
  return `=== ${name} ${version} ===\n\nLicence: ${license}`
}

await rm('dist', { recursive: true, force: true })
const manifest = await deriveManifest()
const { metafile } = await build({
  ...common,
  entryPoints: { main: 'commands/main.ts' },
  outdir: 'dist',
  chunkNames: 'chunks/[name]-[hash]',
  splitting: true,
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none', // all of them are in THIRD-PARTY-LICENSES.txt
  metafile: true,
  define: { STUDIO_VERSION: JSON.stringify(version), STUDIO_MANIFEST: JSON.stringify(manifest) },
  // Some packages are CommonJS: they ask for Node's own modules by require, and for files beside themselves by __dirname.
  banner: {
    js: [
      "import{createRequire as __createRequire}from'node:module'",
      'const require=__createRequire(import.meta.url),__filename=import.meta.filename,__dirname=import.meta.dirname;',
    ].join(';'),
  },
})
await copyFile('node_modules/sql.js/dist/sql-wasm.wasm', 'dist/chunks/sql-wasm.wasm')
await writeNotices(metafile)
