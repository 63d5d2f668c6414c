import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

// `npm run explore` and `npm run faults` are modes, because shells have no common way to set a variable.
const mode = process.argv.includes('--mode') ? process.argv[process.argv.indexOf('--mode') + 1] : null
if (mode === 'faults') process.env['STUDIO_FAULTS'] = 'long'
// How long a test takes depends on the machine. The limit only ends a test that hangs; the long form of the fault tests has none.
const isLong = process.env['STUDIO_FAULTS'] === 'long'
const maxMs = isLong ? 0 : 600_000
// One seed for all workers, so that the printed one repeats the run.
const wanted = mode === 'explore' ? 'new' : (process.env['STUDIO_SEED'] ?? '1204')
process.env['STUDIO_SEED'] = wanted === 'new' ? String(Date.now() % 2 ** 31) : wanted
const common = {
  testTimeout: maxMs,
  hookTimeout: maxMs,
  setupFiles: ['./test/one-seed.ts'],
  // A busy machine may need more than the default second until a polled condition holds.
  expect: { poll: { timeout: maxMs || 3_600_000 } },
}

const SLOW = 'test/**/*.slow.test.ts'
const BROWSER = 'test/**/*.browser.test.ts'
/** Files that replace a module for the code under test: it must be loaded anew for them. */
const MOCKED = 'test/**/*.mocked.test.ts'
const SURFACES = ['test/contract/**/*.test.ts', 'test/faults/**/*.test.ts', MOCKED]

/** The tests that have a long form. */
const faults = {
  test: {
    name: 'faults',
    include: [
      'test/faults/**/*.test.ts',
      'test/regular-expressions/**/*.test.ts',
      'test/contract/event-loop/**/*.test.ts',
    ],
    globalSetup: ['test/build-once.ts'],
    ...common,
  },
}

/** `core` and `surfaces` are what `npm test` runs; `slow` and `browser` join them in `npm run check`. `npm run faults` runs `faults` alone. */
export default defineConfig({
  test: {
    maxWorkers: Math.max(2, availableParallelism()),
    reporters: ['default', './test/plain-count.ts'],
    globalSetup: ['test/temporary-files.ts'],
    projects: isLong
      ? [faults]
      : [
          {
            test: {
              name: 'core',
              include: ['test/**/*.test.ts'],
              exclude: [...SURFACES, SLOW, BROWSER],
              // A worker loads each module once for all its files, which takes half of the time away.
              isolate: false,
              ...common,
            },
          },
          {
            test: {
              name: 'surfaces',
              include: SURFACES,
              exclude: [SLOW, BROWSER],
              globalSetup: ['test/build-once.ts'],
              ...common,
            },
          },
          { test: { name: 'slow', include: [SLOW], globalSetup: ['test/build-once.ts'], ...common } },
          // A browser has a timing of its own. A test that passes only at its second try is named at the end of the run.
          { test: { name: 'browser', include: [BROWSER], retry: 1, ...common } },
        ],
  },
})
