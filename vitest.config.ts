import { defineConfig } from 'vitest/config'

// How long a test takes is the machine's affair; this only ends one that hangs.
const patience = { testTimeout: 120_000, hookTimeout: 120_000 }

export default defineConfig({
  test: {
    reporters: ['default', './test/plain-count.ts'],
    projects: [
      {
        test: {
          name: 'core',
          include: ['test/**/*.test.ts'],
          exclude: ['test/contract/**', 'test/faults/**'],
          ...patience,
        },
      },
      {
        test: {
          name: 'surfaces',
          include: ['test/contract/**/*.test.ts', 'test/faults/**/*.test.ts'],
          globalSetup: ['test/build-once.ts'],
          ...patience,
        },
      },
    ],
  },
})
