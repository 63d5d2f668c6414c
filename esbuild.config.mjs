import { randomUUID } from 'node:crypto'
import { copyFile, readFile, rm, writeFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { builtinsWhenNeeded, ourSources } from './esbuild.plugins.mjs'

const { version } = JSON.parse(await readFile('package.json', 'utf8'))

const common = {
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  external: ['pg-native'], // an option of pg that is never taken
  logLevel: 'warning',
}

/** Some packages are CommonJS: they ask for Node's own modules by require, and for files beside themselves by __dirname. */
const banner = {
  js: [
    "import{createRequire as __createRequire}from'node:module'",
    'const require=__createRequire(import.meta.url),__filename=import.meta.filename,__dirname=import.meta.dirname;',
  ].join(';'),
}

/** What a module of ours exports, for what is worked out at build. */
async function load(entryPoint) {
  const outfile = `dist/${randomUUID()}.mjs`
  await build({ ...common, entryPoints: [entryPoint], outfile, packages: 'external' })
  const loaded = await import(pathToFileURL(outfile).href)
  await rm(outfile)
  return loaded
}

/** The licences of what is bundled, as they ask for. */
async function writeNotices(metafile) {
  const folders = new Set(['node_modules/swagger-ui-dist'])
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

/** What `main` loads is in files of their own, for a start pays for each that it loads. */
const apart = {
  name: 'apart',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/(completion\/)?(quick-\w+|command-line|terminal)$/ }, ({ path }) => {
      const name = path.split('/').at(-1)
      return { path: name === 'quick-drafts' ? './chunks/quick-drafts.js' : `./${name}.js`, external: true }
    })
    // What opens the database stands beside the file of sql.js.
    onResolve({ filter: /^\.\/stored-names$/ }, () => ({ path: './chunks/stored-names.js', external: true }))
  },
}

await rm('dist', { recursive: true, force: true })
// The list of commands, so that a start need not load the catalog.
const manifest = await (await load('commands/derive-manifest.ts')).deriveManifest()
const routes = await (await load('src/http/route-table.ts')).deriveRouteTable()
const completions = await (await load('commands/completion/derive-spec.ts')).deriveCommands()
const schemaSteps = (await load('src/studio.ts')).migrations.length
const agentActions = await (await load('src/mcp/actions.ts')).loadActions()
const { metafile } = await build({
  ...common,
  entryPoints: {
    'command-line': 'commands/command-line.ts',
    terminal: 'commands/terminal.ts',
    index: 'src/library/index.ts',
  },
  outdir: 'dist',
  chunkNames: 'chunks/[name]-[hash]',
  splitting: true,
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none', // all of them are in THIRD-PARTY-LICENSES.txt
  metafile: true,
  define: {
    STUDIO_VERSION: JSON.stringify(version),
  },
  plugins: [
    ourSources({
      literals: { STUDIO_MANIFEST: manifest, STUDIO_ROUTES: routes, STUDIO_AGENT_ACTIONS: agentActions },
      cores: [
        {
          folders: ['src', 'commands'],
          core: { 'src/library/index.ts': 'openStudio', 'src/storage/embedded/open.ts': 'openFile' },
        },
        { folders: ['commands'], core: { 'commands/run-operation.ts': 'runOperation' } },
      ],
    }),
  ],
  banner,
})
const alone = { ...common, outdir: 'dist', minifySyntax: true, minifyWhitespace: true, legalComments: 'none' }
await build({
  ...alone,
  entryPoints: ['commands/main.ts'],
  plugins: [apart, ourSources()],
  define: { STUDIO_VERSION: JSON.stringify(version) },
})
await build({ ...alone, entryPoints: ['commands/quick-search.ts'], plugins: [ourSources(), builtinsWhenNeeded] })
await build({
  ...alone,
  entryPoints: ['commands/quick-help.ts'],
  external: ['./derive-manifest'],
  plugins: [ourSources({ literals: { STUDIO_MANIFEST: manifest } }), builtinsWhenNeeded],
})
await build({
  ...alone,
  entryPoints: { 'quick-completion': 'commands/completion/quick-completion.ts' },
  external: ['./derive-spec'],
  plugins: [apart, ourSources({ literals: { STUDIO_COMMANDS: completions } }), builtinsWhenNeeded],
})
for (const [name, from] of [
  ['quick-drafts', 'commands/quick-drafts.ts'],
  ['stored-names', 'commands/completion/stored-names.ts'],
])
  await build({
    ...alone,
    entryPoints: { [`chunks/${name}`]: from }, // beside the file of sql.js
    banner,
    external: ['../src/studio', '../../src/studio'],
    plugins: [ourSources({ literals: { STUDIO_SCHEMA_STEPS: schemaSteps } })],
  })
await copyFile('node_modules/sql.js/dist/sql-wasm.wasm', 'dist/chunks/sql-wasm.wasm')
for (const asset of ['swagger-ui.css', 'swagger-ui-bundle.js', 'swagger-ui-bundle.js.LICENSE.txt'])
  await copyFile(`node_modules/swagger-ui-dist/${asset}`, `dist/chunks/${asset}`)
if (process.argv.includes('--types')) {
  const { deriveDeclarations } = await load('src/library/derive-declarations.ts')
  await writeFile('dist/index.d.ts', await deriveDeclarations())
}
if (process.argv.includes('--reference')) await (await load('commands/reference/write.ts')).writeReference()
await writeNotices(metafile)
