import { freePort } from '../free-port'
import { type Node, SUPERUSER } from './node'
import type { Service, Workplace } from './processes'
import { findProgram } from './programs'

export interface Router {
  /** PgBouncer's port: it forwards to HAProxy, and that to the primary. */
  port: number
  pgBouncer: Service
  haProxy: Service
}

export async function startRouter(
  { run, write }: Workplace,
  nodes: readonly Pick<Node, 'name' | 'host' | 'restPort'>[],
): Promise<Router> {
  const routed = await freePort()
  const haProxy = run('haproxy', findProgram('haproxy')!, [
    '-f',
    write('haproxy.cfg', haproxySettings(routed, nodes)),
    '-db',
  ])
  const port = await freePort()
  const users = write('users.txt', `"${SUPERUSER}" ""\n`)
  const settings = pgBouncerSettings({ port, server: `host=127.0.0.1 port=${routed}`, users, poolMode: 'transaction' })
  const pgBouncer = run('pgbouncer', findProgram('pgbouncer')!, [write('pgbouncer.ini', settings)])
  return { port, pgBouncer, haProxy }
}

function haproxySettings(port: number, nodes: readonly Pick<Node, 'name' | 'host' | 'restPort'>[]): string {
  const servers = nodes.map(({ name, host, restPort }) => `  server ${name} ${host} check port ${restPort}`)
  return `global
  maxconn 500
defaults
  mode tcp
  timeout connect 2s
  timeout client 60m
  timeout server 60m
  timeout check 2s
listen primary
  bind 127.0.0.1:${port}
  option httpchk GET /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
`
}

export function pgBouncerSettings(options: {
  port: number
  /** The host and the port of the server, as `host=… port=…`. */
  server: string
  /** The file of user names. */
  users: string
  poolMode: 'transaction' | 'statement'
}): string {
  return `[databases]
* = ${options.server}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${options.port}
unix_socket_dir =
auth_type = trust
auth_file = ${options.users}
pool_mode = ${options.poolMode}
max_client_conn = 200
default_pool_size = 20
server_login_retry = 1
query_wait_timeout = 10
ignore_startup_parameters = extra_float_digits
`
}
