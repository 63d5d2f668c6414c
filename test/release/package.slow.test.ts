import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { execa, type Options } from 'execa'
import { describe, expect, it } from 'vitest'
import { openOnce } from '../contract/program'
import { temporaryFolder } from '../temporary-folder'
import { serveRegistry } from './npm-registry'

const manifest = JSON.parse(readFileSync('package.json', 'utf8'))

describe('the package', () => {
  const packed = openOnce(async (atEnd) => {
    const folder = await mkdtemp(join(tmpdir(), 'studio-package-'))
    atEnd(() => rm(folder, { recursive: true, force: true }))
    // The scripts would build again, while other tests use what is built.
    const { stdout } = await execa('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder])
    const [{ filename, files }] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }]
    return { tarball: join(folder, filename), paths: files.map(({ path }) => path) }
  })

  /** An account that has nothing yet, with the Node.js of this process. */
  function emptyAccount(more: Record<string, string> = {}) {
    const folder = temporaryFolder()
    const PATH = [dirname(process.execPath), process.env['PATH'] ?? ''].join(process.platform === 'win32' ? ';' : ':')
    // Windows has other names for a home. Without them, the program would write to that of the account which runs the tests.
    const homes = {
      HOME: folder,
      USERPROFILE: folder,
      LOCALAPPDATA: join(folder, 'local'),
      APPDATA: join(folder, 'roaming'),
    }
    const env = { PATH, ...homes, npm_config_update_notifier: 'false', ...more }
    return { folder, own: { cwd: folder, extendEnv: false, env, stdin: 'ignore' } satisfies Options }
  }

  it('has what users need, and nothing else', () => {
    const { paths } = packed()
    expect(paths).toEqual(
      expect.arrayContaining(['package.json', 'bin/studio.js', 'LICENSE', 'docs/reference/studio.1']),
    )
    expect(paths.filter((path) => /^(src|test|commands|node_modules)\/|secret|\.env/.test(path))).toEqual([])
  })

  it('works in an empty folder, without the repository and the network', async () => {
    const { folder, own } = emptyAccount()
    await execa('npm', ['install', '--offline', '--no-audit', '--no-fund', '--prefix', folder, packed().tarball], own)
    const studio = (...args: string[]) => execa(join(folder, 'node_modules/.bin/studio'), args, own)
    expect((await studio('--version')).stdout).toBe(manifest.version)
    const hours = ['--time-zone', 'Etc/UTC', '--queue', 'daily 06:00-08:00', '--door', 'A']
    await studio('facility', 'create', '--code', 'DC1', '--name', 'North', ...hours)
    expect(JSON.parse((await studio('facility', 'list', '--json')).stdout)).toMatchObject([{ code: 'DC1' }])
  })

  it.skipIf(process.platform === 'win32')('brings its manual page to all projects from its file too', async () => {
    const { folder, own } = emptyAccount()
    const where = ['--global', '--prefix', folder, '--offline', '--no-audit', '--no-fund']
    await execa('npm', ['install', packed().tarball, ...where], own)
    expect(readdirSync(join(folder, 'share/man/man1'))).toEqual(['studio.1'])
  })

  describe('from a registry', () => {
    // Verdaccio, which is a registry that can also be written to, was tried by hand with Node.js 20, 22, 24 and 26.
    const registry = openOnce((atEnd) => serveRegistry(packed().tarball, manifest, atEnd))
    const account = () => emptyAccount({ npm_config_registry: registry().address })

    it('is run by npx', async () => {
      const { own } = account()
      const npx = (...args: string[]) => execa('npx', ['--yes', manifest.name, ...args], own)
      expect((await npx('--version')).stdout).toBe(manifest.version)
      expect(registry().asked).toContain(registry().tarballPath)
      const { stdout, stderr } = await npx('demo')
      expect(stdout).toContain('Next steps')
      expect(stderr).not.toMatch(/npm warn|npm error/)
    })

    it('is installed for all projects with its manual page, alone, and removed again', async () => {
      const { folder, own } = account()
      const prefix = join(folder, 'global')
      const npm = (...args: string[]) => execa('npm', [...args, '--global', '--prefix', prefix], own)
      const { stderr } = await npm('install', manifest.name, '--no-audit', '--no-fund')
      expect(stderr).toBe('')
      const windows = process.platform === 'win32'
      const modules = join(prefix, windows ? 'node_modules' : 'lib/node_modules')
      expect(readdirSync(modules)).toEqual([manifest.name])
      const program = join(prefix, windows ? 'studio.cmd' : 'bin/studio')
      expect((await execa(program, ['--version'], own)).stdout).toBe(manifest.version)
      if (!windows) expect(readdirSync(join(prefix, 'share/man/man1'))).toEqual(['studio.1'])
      await npm('uninstall', manifest.name)
      expect(readdirSync(modules)).toEqual([])
    })
  })
})
