/**
 * `npm run bench` runs all, `npm run bench -- cli` one. Each prints ratios against a named baseline that ran in turn with it,
 * as medians: a machine that is slow today is slow for both.
 */
const benches: Record<string, () => Promise<{ run(args: string[]): Promise<void> }>> = {
  assistant: () => import('./assistant'),
  cli: () => import('./cli'),
  http: () => import('./http'),
  docks: () => import('./docks'),
  reports: () => import('./reports'),
  sanitize: () => import('./sanitize'),
  storage: () => import('./storage'),
  search: () => import('./search'),
  workspace: () => import('./workspace'),
}

const [name, ...args] = process.argv.slice(2)
if (name !== undefined && !(name in benches)) {
  console.error(`There is no bench "${name}": ${Object.keys(benches).join(', ')}`)
  process.exit(2)
}
for (const chosen of name === undefined ? Object.keys(benches) : [name]) {
  console.log(`\n${chosen}`)
  await (await benches[chosen]!()).run(args)
}

export {}
