import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { listLoaded } from './loaded-files'
import { firstJsonLine, program } from './program'

function sumBytes(files: readonly string[]): number {
  expect(files.length).toBeGreaterThan(3)
  return files.reduce((sum, file) => sum + statSync(file).size, 0)
}

// An import in the wrong place brings parsers of HTML and patterns of secrets into every start.
it('a command that needs no more than a database that exists loads less than a megabyte of code', async () => {
  const studio = await program()
  // The first command creates the tables.
  await studio.run(['filter', 'list'])
  const files = await listLoaded(async (env) => {
    const { exitCode, err } = await studio.run(['filter', 'list'], { env })
    expect(exitCode, err).toBe(0)
  })
  expect(sumBytes(files)).toBeLessThan(1_000_000)
})

// Windows has no signal that lets a process end by itself.
it.skipIf(process.platform === 'win32')(
  'a service loads less than 1.5 megabytes of code before it listens',
  async () => {
    const files = await listLoaded(async (env) => {
      const running = (await program()).start(['serve', '--port', '0', '--json'], env)
      await firstJsonLine(running)
      running.kill('SIGTERM')
      expect((await running).exitCode).toBe(0)
    })
    expect(sumBytes(files)).toBeLessThan(1_500_000)
  },
)

// With NODE_EXTRA_CA_CERTS, the first use of TLS reads all certificates of that file.
it('what needs no network loads no TLS', async () => {
  const studio = await program()
  const report = join(studio.home, 'report.cjs')
  writeFileSync(
    report,
    `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(join(studio.home, 'loaded'))}, process.moduleLoadList.join('\\n')))`,
  )
  await studio.json([
    'facility',
    'create',
    '--code',
    'DC1',
    '--name',
    'North',
    '--time-zone',
    'UTC',
    '--queue',
    'mon-fri 06:00-18:00',
    '--door',
    'A',
  ])
  const load = ['delivery', '--carrier', 'Acme', '--reference', 'PO-1']
  for (const args of [
    ['draft', 'save', '--title', 'Gate'],
    ['search', 'Gate'],
    ['draft', 'list'],
    ['item', 'list'],
    ['book', '--facility', 'DC1', '--type', ...load, '--date', '2055-03-01'],
    ['report', 'hierarchy'],
  ]) {
    const { err, exitCode } = await studio.run(args, { env: { NODE_OPTIONS: `--require ${report}` } })
    expect(exitCode, err).toBe(0)
    const loaded = readFileSync(join(studio.home, 'loaded'), 'utf8')
    expect(loaded).toContain('NativeModule fs')
    expect(loaded, args.join(' ')).not.toMatch(/\b(tls|_tls_common|https|internal\/tls.*)$/m)
  }
})
