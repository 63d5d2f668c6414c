#!/usr/bin/env node
start().catch((error) => {
  if (error?.code !== 'MODULE_NOT_FOUND') throw error
  process.stderr.write(`error: studio is not built yet.\nhint: Run: npm ci && npm run build\n`)
  process.exitCode = 1
})

async function start() {
  await require('../dist/main.cjs').main(process.argv.slice(2))
}
