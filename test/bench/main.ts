/**
 * `npm run bench` runs all benchmarks, `npm run bench -- cli` runs one. Each prints median ratios to a named baseline that runs
 * alternately with it, because a slow machine slows down both.
 */
const benches: Record<string, () => Promise<{ run(args: string[]): Promise<void> }>> = {
  assistant: () => import('./assistant'),
  attacks: () => import('./attacks'),
  cluster: () => import('./cluster'),
  cli: () => import('./cli'),
  console: () => import('./console'),
  http: () => import('./http'),
  docks: () => import('./docks'),
  partitions: () => import('./partitions'),
  redaction: () => import('./redaction'),
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
