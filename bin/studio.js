#!/usr/bin/env node
try {
  const { main } = await import('../dist/main.js')
  await main(process.argv.slice(2))
} catch (error) {
  if (error?.code !== 'ERR_MODULE_NOT_FOUND') throw error
  process.stderr.write(`error: studio is not built yet.\nhint: Run: npm ci && npm run build\n`)
  process.exitCode = 1
}
