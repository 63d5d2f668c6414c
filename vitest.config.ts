import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

// How long a test takes is the machine's affair; this only ends one that hangs, and not the long form of the faults.
const mostMs = process.env['STUDIO_FAULTS'] === 'long' ? 0 : 120_000
const forAll = {
  testTimeout: mostMs,
  hookTimeout: mostMs,
  setupFiles: ['./test/one-seed.ts'],
  // What is polled for comes when it comes; the second that is given by default may be too short for a busy machine.
  expect: { poll: { timeout: mostMs || 3_600_000 } },
}

export default defineConfig({
  test: {
    maxWorkers: Math.max(2, availableParallelism()),
    reporters: ['default', './test/plain-count.ts'],
    projects: [
      {
        test: {
          name: 'core',
          include: ['test/**/*.test.ts'],
          exclude: ['test/contract/**', 'test/faults/**'],
          ...forAll,
        },
      },
      {
        test: {
          name: 'surfaces',
          include: ['test/contract/**/*.test.ts', 'test/faults/**/*.test.ts'],
          globalSetup: ['test/build-once.ts'],
          ...forAll,
        },
      },
    ],
  },
})
