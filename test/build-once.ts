import { execFileSync } from 'node:child_process'

/** Builds the program that the end-to-end tests run. It is built once, even if two Vitest projects need it, and the time is printed. */
export default function buildOnce(): void {
  if (process.env['STUDIO_BUILT_FOR_TESTS']) return
  process.env['STUDIO_BUILT_FOR_TESTS'] = '1'
  const start = performance.now()
  execFileSync(process.execPath, ['esbuild.config.mjs'], { stdio: 'inherit' })
  console.log(`build: passed, ${((performance.now() - start) / 1000).toFixed(1)} s`)
}
