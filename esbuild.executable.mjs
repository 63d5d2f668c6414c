import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { build } from 'esbuild'

/**
 * Makes a single executable of the Node.js that runs this and of the program in dist/: for people and machines without Node.js.
 * Node.js 25.5 and newer writes it itself; older ones write only what is to be added to a copy of them.
 *
 *   node esbuild.executable.mjs [folder]
 */
const folder = resolve(process.argv[2] ?? 'executable')
const outfile = join(folder, process.platform === 'win32' ? 'studio.exe' : 'studio')
const main = join(folder, 'executable.cjs')
const settings = join(folder, 'settings.json')
const blob = join(folder, 'executable.blob')
const writesItself = hasBuildSea()

await mkdir(folder, { recursive: true })
await build({
  entryPoints: ['commands/start/executable.ts'],
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  minifySyntax: true,
  minifyWhitespace: true,
  outfile: main,
})
const assets = { 'executable.cjs': main, LICENSE: 'LICENSE', 'NODE-LICENSE': licenceOfNode() }
for (const entry of await readdir('dist', { recursive: true, withFileTypes: true })) {
  const path = join(entry.parentPath ?? entry.path, entry.name)
  if (entry.isFile()) assets[path.replaceAll('\\', '/')] = path
}
const output = writesItself ? outfile : blob
await writeFile(settings, JSON.stringify({ main, output, disableExperimentalSEAWarning: true, assets }))
if (writesItself) execFileSync(process.execPath, ['--build-sea', settings], { stdio: 'inherit' })
else await addToCopyOfNode()
// macOS runs only what is signed. This signature has no name; AGENTS.md says what a release needs.
if (process.platform === 'darwin') execFileSync('codesign', ['--sign', '-', '--force', outfile], { stdio: 'inherit' })
for (const file of [main, settings, blob]) await rm(file, { force: true })

async function addToCopyOfNode() {
  const { inject } = (await import('postject')).default
  execFileSync(process.execPath, ['--experimental-sea-config', settings], { stdio: 'inherit' })
  await copyFile(process.execPath, outfile)
  await chmod(outfile, 0o755)
  if (process.platform === 'darwin') execFileSync('codesign', ['--remove-signature', outfile])
  await inject(outfile, 'NODE_SEA_BLOB', await readFile(blob), {
    sentinelFuse: 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2',
    ...(process.platform === 'darwin' && { machoSegmentName: 'NODE_SEA' }),
  })
}

/** On macOS with an Intel processor, what Node.js 26 writes itself crashes at its start (nodejs/node#65479). */
function hasBuildSea() {
  if (process.platform === 'darwin' && process.arch === 'x64') return false
  const [major, minor] = process.versions.node.split('.').map(Number)
  return major > 25 || (major === 25 && minor >= 5)
}

/** It must be with every copy. Where it is depends on how Node.js was installed. */
function licenceOfNode() {
  const home = dirname(process.execPath)
  const places = [
    join(home, '..', 'LICENSE'),
    join(home, 'LICENSE'),
    ...['LICENSE', 'copyright'].map((name) => `/usr/share/doc/nodejs/${name}`),
  ]
  const found = places.find((place) => existsSync(place))
  if (!found) throw new Error(`The licence of Node.js is in none of: ${places.join(', ')}`)
  return found
}
