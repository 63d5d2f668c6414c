import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../free-port'
import type { Service, Workplace } from './processes'
import { findProgram } from './programs'

const MEMBERS = 3

export interface Etcd {
  /** The ports for clients, one for each member. */
  ports: readonly number[]
  /** The member that is the leader now. */
  findLeader(): Promise<Service>
}

export async function startEtcd({ run, folder }: Workplace): Promise<Etcd> {
  const members = await Promise.all(
    Array.from({ length: MEMBERS }, async (_, i) => ({
      name: `etcd${i + 1}`,
      client: await freePort(),
      peer: await freePort(),
    })),
  )
  const all = members.map(({ name, peer }) => `${name}=http://127.0.0.1:${peer}`).join(',')
  const services = members.map(({ name, client, peer }) => {
    const options = {
      name,
      'data-dir': join(folder, name),
      'initial-cluster': all,
      'initial-cluster-state': 'new',
      'enable-v2': 'true',
      'listen-client-urls': `http://127.0.0.1:${client}`,
      'advertise-client-urls': `http://127.0.0.1:${client}`,
      'listen-peer-urls': `http://127.0.0.1:${peer}`,
      'initial-advertise-peer-urls': `http://127.0.0.1:${peer}`,
    }
    const args = Object.entries(options).map(([option, value]) => `--${option}=${value}`)
    return run(name, findProgram('etcd')!, args)
  })
  return {
    ports: members.map(({ client }) => client),
    async findLeader() {
      for (;;) {
        const leaders = await Promise.all(members.map(({ client }) => isLeader(client)))
        const leader = services[leaders.indexOf(true)]
        if (leader) return leader
        await sleep(200)
      }
    },
  }
}

async function isLeader(port: number): Promise<boolean> {
  const request = { signal: AbortSignal.timeout(2_000) }
  const response = await fetch(`http://127.0.0.1:${port}/metrics`, request).catch(() => null)
  return response !== null && /^etcd_server_is_leader 1$/m.test(await response.text())
}
