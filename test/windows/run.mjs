import { spawn, spawnSync } from 'node:child_process'
import { closeSync, existsSync, mkdtempSync, openSync, readSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createForwarder } from './create-forwarder.mjs'
import { installPrograms } from './install-programs.mjs'

/**
 * Runs the tests in Node for Windows under Wine: all of `npm test`, or those that the arguments select. They are the same files as
 * everywhere. Each run has a new folder for its drive C:, and ends with the line `N passed, N failed`. Without Wine it says so and passes.
 */
async function runUnderWine() {
  const wine = findWine()
  if (wine === null) {
    console.log('skipped: Wine is not installed (Debian: apt-get install wine64)\n0 passed, 0 failed, all skipped')
    return true
  }
  const programs = installPrograms()
  const prefix = mkdtempSync(join(tmpdir(), 'studio-wine-'))
  const env = { ...createEnvironment(programs), WINEPREFIX: prefix }
  const run = (...args) => spawnSync(wine, args, { env, stdio: 'ignore' })
  try {
    run('wineboot', '--init')
    // Node needs Windows 10; older versions of Wine say that they are Windows 7.
    run('reg', 'add', 'HKCU\\Software\\Wine', '/v', 'Version', '/d', 'win10', '/f')
    addRandomBytes(prefix)
    return await runVitest(wine, [programs.node, ...getVitestArguments()], { env, log: join(prefix, 'tests.log') })
  } finally {
    run('wineboot', '--shutdown', '--force')
    rmSync(prefix, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  }
}

function findWine() {
  const candidates = [process.env['WINE'], 'wine64', '/usr/lib/wine/wine64', 'wine']
  return candidates.find((name) => name && spawnSync(name, ['--version']).status === 0) ?? null
}

/**
 * Settings of the machine that runs the tests have no effect, as in a new account of Windows. With `STUDIO_BUILT_FOR_TESTS=1` the tests run
 * the program that is built already: under Wine, the build takes minutes.
 */
function createEnvironment({ rolldown, esbuild }) {
  const own = Object.entries(process.env).filter(
    ([name]) => name === 'STUDIO_BUILT_FOR_TESTS' || !/^(STUDIO_|NODE_|npm_|XDG_|DISPLAY$)/.test(name),
  )
  return {
    ...Object.fromEntries(own),
    WINEDEBUG: '-all',
    // Keeps Wine from offering to install .NET and a browser.
    WINEDLLOVERRIDES: 'mscoree,mshtml=',
    NAPI_RS_NATIVE_LIBRARY_PATH: toWindowsPath(rolldown),
    ESBUILD_BINARY_PATH: toWindowsPath(esbuild),
    NODE_OPTIONS: `--require ${toWindowsPath(resolve('test/windows/without-keep-alive.cjs'))}`,
  }
}

/** Wine shows the whole machine as drive Z:. */
function toWindowsPath(path) {
  return `Z:${path}`
}

/** Wine 8 lacks the library that programs in Rust take random bytes from. */
function addRandomBytes(prefix) {
  const file = join(prefix, 'drive_c/windows/system32/bcryptprimitives.dll')
  if (!existsSync(file))
    writeFileSync(file, createForwarder('bcryptprimitives.dll', 'ProcessPrng', 'advapi32.SystemFunction036'))
}

function getVitestArguments() {
  return [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--project',
    'core',
    '--project',
    'surfaces',
    ...process.argv.slice(2),
  ]
}

/** Node for Windows cannot write to a pipe of this system, so it writes to a file, which is printed as it grows. */
async function runVitest(wine, args, { env, log }) {
  const output = openSync(log, 'w+')
  const child = spawn(wine, args, { env, stdio: ['ignore', output, output] })
  let ended
  child.on('exit', (code) => {
    ended = code === 0
  })
  for (let position = 0; ; ) {
    const isLast = ended !== undefined
    const piece = Buffer.alloc(65_536)
    const length = readSync(output, piece, 0, piece.length, position)
    process.stdout.write(piece.subarray(0, length))
    position += length
    if (length === 0 && isLast) break
    if (length === 0) await sleep(100)
  }
  closeSync(output)
  return ended
}

process.exitCode = (await runUnderWine()) ? 0 : 1
