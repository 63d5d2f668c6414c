import { execFileSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { listTree } from '../cluster/processes'
import { postgresPrograms, type Server, startServer } from '../storage/postgres/server'
import { findServerPid, type Load, measure, type Sample } from './cluster-load'
import { serve } from './dock-http'
import { median, printFigure } from './figures'
import { madeUpItems, madeUpQueries } from './search/items'
import { openOffice } from './search/on-server'

const ITEMS = 20_000
const CLIENTS = 16
const SERVICES = 2
const ROUNDS = 5
const RUN_MS = 3_000

/**
 * Measures searches on two replicas against the same on the primary. Each server may use one processor, as if it had a small machine of its
 * own: otherwise the primary would use all processors, and a further server on the same machine could not add any.
 */
export async function readsOnReplicas(): Promise<void> {
  const programs = postgresPrograms()
  if (!programs || process.platform !== 'linux') {
    console.log(
      '  reads on replicas: skipped, for they need Linux, and initdb and postgres (set POSTGRES_BIN to their folder)',
    )
    return
  }
  const server = await startServer(programs, { durable: true })
  const stops: (() => void)[] = []
  try {
    const address = await createItems(server)
    const replicas = [await server.startReplica(), await server.startReplica()].map((copy) => copy.addressOf(address))
    const pids = await Promise.all([address, ...replicas].map(findServerPid))
    for (const [i, pid] of pids.entries()) useOneProcessor(pid, i % availableParallelism())
    const start = async (env: Record<string, string>) => {
      const running = await Promise.all(Array.from({ length: SERVICES }, () => serve(address, env)))
      for (const { process } of running) stops.push(() => process.kill('SIGTERM'))
      return { urls: running.map(({ url }) => url), pids: running.map(({ process }) => process.pid!) }
    }
    const plain = await start({})
    const spread = await start({ STUDIO_DB_READ: joinAddresses(replicas) })
    const [primary, ...copies] = pids
    const search = ({ urls, pids: services }: typeof plain) =>
      measure({
        urls,
        clients: CLIENTS,
        ms: RUN_MS,
        parts: { services, primary: [primary!], replicas: copies },
        send: searching(),
      })
    await search(plain)
    await search(spread)
    const [onPrimary, onReplicas]: [Sample[], Sample[]] = [[], []]
    for (let round = 0; round < ROUNDS; round++) {
      onPrimary.push(await search(plain))
      onReplicas.push(await search(spread))
    }
    printFigure({
      name: 'searches a second on two replicas ÷ on the primary',
      value: median(onReplicas.map(({ perSecond }, i) => perSecond / onPrimary[i]!.perSecond)),
      atLeast: 1.3,
    })
    printSearches('on the primary', onPrimary)
    printSearches('on two replicas', onReplicas)
  } finally {
    for (const stop of stops) stop()
    await server.remove()
  }
}

async function createItems(server: Server): Promise<string> {
  const office = await openOffice(server, madeUpItems(ITEMS))
  await office.rebuild()
  await server.query('vacuum analyze', office.name)
  await office.close()
  return office.address
}

/** For the server and all its processes, also later ones. */
function useOneProcessor(server: number, processor: number): void {
  for (const { pid } of listTree([server]))
    execFileSync('taskset', ['-acp', String(processor), String(pid)], { stdio: 'ignore' })
}

function joinAddresses(addresses: readonly string[]): string {
  const [first, ...others] = addresses.map((address) => new URL(address))
  return first!.href.replace(first!.host, [first!, ...others].map(({ host }) => host).join(','))
}

const queries = madeUpQueries(400, 5)
let sent = 0

function searching(): Load['send'] {
  return (client) => client.get(`/api/search/fast?q=${encodeURIComponent(queries[sent++ % queries.length]!)}&limit=10`)
}

function printSearches(where: string, samples: readonly Sample[]): void {
  const figure = (name: string, read: (sample: Sample) => number, unit: string) =>
    printFigure({ name: `  ${where}: ${name}`, value: median(samples.map(read)), unit })
  figure('searches a second', ({ perSecond }) => perSecond, '/s')
  figure('p99', ({ p99 }) => p99, 'ms')
  for (const part of Object.keys(samples[0]!.cpu))
    figure(`processor time of ${part} for each`, ({ cpu }) => cpu[part]!, 'ms')
}
