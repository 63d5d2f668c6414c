import { listTree } from '../cluster/processes'
import { postgresPrograms, type Server, startServer } from '../storage/postgres/server'
import { findServerPid, type Load, measure, type Sample } from './cluster-load'
import { serve } from './dock-http'
import { median, printFigure } from './figures'
import { type Machine, withShares } from './processor-shares'
import { madeUpItems, madeUpQueries } from './search/items'
import { openOffice } from './search/on-server'

const ITEMS = 20_000
const CLIENTS = 16
const SERVICES = 2
const ROUNDS = 3
const RUN_MS = 3_000
/** The processors of each machine, where each has its own. All three servers have the same. */
const SHARES = { clients: 0.1, service: 0.35, server: 0.4 }

/** Measures searches on two replicas against the same on the primary. */
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
    const compare = async (where: string) => {
      const samples: [primary: Sample, replicas: Sample][] = []
      for (let round = 0; round < ROUNDS; round++) samples.push([await search(plain), await search(spread)])
      printFigure({
        name: `${where}: searches on two replicas ÷ on the primary`,
        value: median(samples.map(([one, two]) => two.perSecond / one.perSecond)),
        atLeast: 1.3,
      })
      printSearches(
        'on the primary',
        samples.map(([one]) => one),
      )
      printSearches(
        'on two replicas',
        samples.map(([, two]) => two),
      )
    }
    await compare('all on these processors')
    const services = [...plain.pids, ...spread.pids]
    await withShares(listMachines(services, pids), () => compare('own processors'))
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

/** Of the services, those on the primary and those on replicas work by turns, so each pair of them has one share. */
function listMachines(services: readonly number[], servers: readonly number[]): Machine[] {
  const pairs = Array.from({ length: SERVICES }, (_, i) => [services[i]!, services[i + SERVICES]!])
  return [
    { name: 'clients', pids: [process.pid], share: SHARES.clients },
    ...pairs.map((pids, i) => ({ name: `service${i + 1}`, pids, share: SHARES.service })),
    ...servers.map((pid, i) => ({
      name: `server${i + 1}`,
      pids: listTree([pid]).map((each) => each.pid),
      share: SHARES.server,
    })),
  ]
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
  figure('how busy the machine was', ({ busy }) => busy * 100, '%')
  for (const part of Object.keys(samples[0]!.cpu))
    figure(`processor time of ${part} for each`, ({ cpu }) => cpu[part]!, 'ms')
}
