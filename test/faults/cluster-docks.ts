import type { Cluster } from '../cluster/cluster'
import { firstJsonLine, program } from '../contract/program'
import { book, FACILITIES, type Load } from './cluster-load'

/** Creates facilities in the database of the cluster. Returns the key of a client, and what starts services. */
export async function startDocks(cluster: Cluster) {
  const studio = await program()
  // The environment of a service names the folder of the cluster, so that it ends with it.
  const environment = (address: string) => ({ STUDIO_DB: address, CLUSTER_FOLDER: cluster.folder })
  const env = environment(cluster.address)
  const hours = ['--name', 'North', '--time-zone', 'Etc/UTC', '--queue', 'daily 00:00-24:00', '--min-minutes', '15']
  const doors = ['A', 'B', 'C', 'D'].flatMap((name) => ['--door', name])
  for (let i = 0; i < FACILITIES; i++)
    await studio.json(['facility', 'create', '--code', `F${i}`, ...hours, ...doors], { env })
  const { key } = await studio.json<{ key: string }>(['tenant', 'key', 'create'], { env })
  const serve = async (address: string, more: Record<string, string> = {}) => {
    const running = studio.start(['serve', '--port', '0', '--json'], { ...environment(address), ...more })
    return { running, url: (await firstJsonLine(running)).url as string }
  }
  return { key, serve }
}

/** Clients that book until `end` is called. */
export function startClients(
  load: Load,
  urls: readonly string[],
  { key, name, count }: { key: string; name: string; count: number },
) {
  const stop = new AbortController()
  const clients = Array.from({ length: count }, (_, i) =>
    book(load, { name: `${name}${i}`, facility: i % FACILITIES, url: urls[i % urls.length]!, key }, stop.signal),
  )
  return async () => {
    stop.abort()
    await Promise.all(clients)
  }
}
