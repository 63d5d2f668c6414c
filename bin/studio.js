#!/usr/bin/env node
start().catch((error) => {
  if (!/^(ERR_)?MODULE_NOT_FOUND$/.test(error?.code)) throw error
  end('studio is not built yet.', 'Run: npm ci && npm run build')
})

async function start() {
  if (!process.getBuiltinModule)
    return end(`Node.js ${process.versions.node} is too old.`, 'Install Node.js 20.19, or 22.3 or newer.')
  await require('../dist/main.cjs').main(process.argv.slice(2))
}

function end(message, hint) {
  process.stderr.write(`error: ${message}\nhint: ${hint}\n`)
  process.exitCode = 1
}
