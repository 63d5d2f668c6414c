import { printBesideWrites } from './search/beside-writes'
import { printOnServer } from './search/on-server'
import { printOverHttp } from './search/over-http'
import { printRelevance } from './search/relevance'
import { printColdSizes, printSize } from './search/size'

const SIZES = [100_000, 300_000]

/**
 * `--collections <folder>`: test collections with relevance judgments, one folder each. `--sizes 10000,100000`: the numbers of items
 * for speed measurements; the first is the reference. `--postgres`: measures the index on a server instead. `--http`: only searches of a
 * service. `--cold`: only the processes of single searches.
 */
export async function run(args: string[]): Promise<void> {
  const collections = flagValue(args, '--collections')
  const sizes = flagValue(args, '--sizes')?.split(',').map(Number) ?? SIZES
  if (args.includes('--postgres')) return printOnServer(collections, sizes)
  if (args.includes('--http')) return printOverHttp()
  if (args.includes('--cold')) return printColdSizes()
  if (collections === null) console.log('  relevance: name a folder of test collections, --collections <folder>')
  else await printRelevance(collections)
  await printBesideWrites()
  await printOverHttp()
  let first: number | null = null
  for (const size of sizes) first = await printSize(size, first)
}

function flagValue(args: readonly string[], flag: string): string | null {
  const at = args.indexOf(flag)
  return at < 0 ? null : (args[at + 1] ?? null)
}
