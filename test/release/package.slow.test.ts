import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../temporary-folder'

it('is a package that works in an empty folder, without the repository and the network', async () => {
  const folder = temporaryFolder()
  // The scripts would build again, while other tests use what is built.
  const packed = await execa('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder])
  const [{ filename, files }] = JSON.parse(packed.stdout) as [{ filename: string; files: { path: string }[] }]
  const paths = files.map(({ path }) => path)
  expect(paths).toEqual(expect.arrayContaining(['package.json', 'bin/studio.js', 'LICENSE', 'docs/reference/studio.1']))
  expect(paths.filter((path) => /^(src|test|commands|node_modules)\/|secret|\.env/.test(path))).toEqual([])
  const own = { cwd: folder, extendEnv: false, env: { PATH: process.env['PATH'] ?? '', HOME: folder } }
  const tarball = join(folder, filename)
  await execa('npm', ['install', '--offline', '--no-audit', '--no-fund', '--prefix', folder, tarball], own)
  const studio = (...args: string[]) => execa(join(folder, 'node_modules/.bin/studio'), args, own)
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  expect((await studio('--version')).stdout).toContain(version)
  const hours = ['--time-zone', 'Etc/UTC', '--queue', 'daily 06:00-08:00', '--door', 'A']
  await studio('facility', 'create', '--code', 'DC1', '--name', 'North', ...hours)
  expect(JSON.parse((await studio('facility', 'list', '--json')).stdout)).toMatchObject([{ code: 'DC1' }])
})
