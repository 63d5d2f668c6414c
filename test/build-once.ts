import { execFileSync } from 'node:child_process'

/** Builds the program that the end-to-end tests run. It is built once, even if two Vitest projects need it. */
export default function buildOnce(): void {
  if (process.env['STUDIO_BUILT_FOR_TESTS']) return
  process.env['STUDIO_BUILT_FOR_TESTS'] = '1'
  execFileSync(process.execPath, ['esbuild.config.mjs'], { stdio: 'inherit' })
}
