import type { Cluster } from '../cluster/cluster'

export interface Fault {
  name: string
  /** Whether another server becomes the primary. */
  isFailover: boolean
  /** Breaks something, and returns what repairs it. */
  cause(cluster: Cluster): Promise<() => void>
}

const killPrimary: Fault = {
  name: 'the primary is killed',
  isFailover: true,
  async cause(cluster) {
    const primary = (await cluster.findPrimary())!
    await primary.kill()
    return () => primary.start()
  },
}

const freezePrimary: Fault = {
  name: 'the machine of the primary is paused',
  isFailover: true,
  async cause(cluster) {
    const primary = (await cluster.findPrimary())!
    primary.freeze()
    return () => primary.resume()
  },
}

const cutOffPrimary: Fault = {
  name: 'the network of the primary is cut',
  isFailover: true,
  async cause(cluster) {
    const primary = (await cluster.findPrimary())!
    primary.cutOff()
    return () => primary.heal()
  },
}

const restartPgBouncer: Fault = {
  name: 'PgBouncer is restarted',
  isFailover: false,
  async cause({ router }) {
    await router.pgBouncer.kill()
    router.pgBouncer.start()
    return () => {}
  },
}

const killEtcdLeader: Fault = {
  name: 'the leader of etcd is killed',
  isFailover: false,
  async cause({ etcd }) {
    const leader = await etcd.findLeader()
    await leader.kill()
    return () => leader.start()
  },
}

const pauseEtcdLeader: Fault = {
  name: 'the leader of etcd is paused',
  isFailover: false,
  async cause({ etcd }) {
    const leader = await etcd.findLeader()
    leader.signal('SIGSTOP')
    return () => leader.signal('SIGCONT')
  },
}

/** In this order, so that each kind of failover follows another one. */
export const faults: readonly Fault[] = [
  killPrimary,
  cutOffPrimary,
  restartPgBouncer,
  freezePrimary,
  cutOffPrimary,
  killEtcdLeader,
  killPrimary,
  pauseEtcdLeader,
]
