import { isIP } from 'node:net'
import { isAbsolute, resolve } from 'node:path'
import * as z from 'zod'
import { StudioError } from '../../kernel'
import { isLoopbackHost } from '../../kernel/loopback'
import { parseServiceAddress, SERVICE_ADDRESS_RULE } from '../../kernel/service-address'
import { parseChoice } from './environment-variables'
import type { SettingsSource } from './paths'
import { needsNoTrust } from './project-trust'

const LogFormat = z.enum(['json', 'pretty', 'off'])
export type LogFormat = z.infer<typeof LogFormat>

/** `docks.example.com`, or `docks.example.com:8443` for a port that is not the default. */
const HostName = z
  .string()
  .toLowerCase()
  .regex(
    /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]*[a-z0-9])?(:\d{1,5})?$/,
    'must be a host name such as docks.example.com',
  )

/** At most more than a process can use. */
const PageCacheMb = z.int().min(1).max(65_536)
const DEFAULT_PAGE_CACHE_MB = 64

/** 0 is no limit. */
const RequestRate = z.int().min(0).max(1_000_000)
const DEFAULT_RATE_LIMIT = 200
const ConcurrentCalls = z.int().min(0).max(10_000)
const DEFAULT_CONCURRENT_CALLS = 16

const HttpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https address' })

/** Minutes between two syncs of the work items, or none. */
const SyncInterval = z.int().min(1).max(1_440)

/** The settings of the service in a file. Paths that it writes to are accepted from flags and variables only. */
export const ServeFile = z.strictObject({
  host: z.string().min(1).optional(),
  port: needsNoTrust(z.int().min(0).max(65535).optional(), 'The address decides who can connect.'),
  allowedHosts: z.array(HostName).max(100).optional(),
  publicUrl: HttpUrl.optional(),
  log: needsNoTrust(LogFormat.optional(), 'The log has the same entries in each form.', (format) => format !== 'off'),
  metrics: z.boolean().optional(),
  pageCacheMb: needsNoTrust(PageCacheMb.optional(), 'The cache is never larger than the database.'),
  rateLimit: RequestRate.optional(),
  concurrentCalls: ConcurrentCalls.optional(),
  syncEveryMinutes: z
    .union([SyncInterval, z.literal('off')], {
      error: `must be off, or a number of minutes between ${SyncInterval.minValue} and ${SyncInterval.maxValue}`,
    })
    .optional(),
})

export type ServeSettings = ReturnType<typeof loadServeSettings>

export interface ServeFlags {
  host?: string
  port?: number
  socket?: string
  allowHost?: string[]
  trustProxy?: string[]
  log?: string
  logFile?: string
  metrics?: true
}

export function loadServeSettings(
  { env, cwd }: SettingsSource,
  flags: ServeFlags,
  file: z.infer<typeof ServeFile> = {},
) {
  const path = (text: string | undefined) => (text ? (isAbsolute(text) ? text : resolve(cwd, text)) : null)
  const list = (name: string) => (env[name] ?? '').split(/[\s,]+/).filter(Boolean)
  const publicUrl = readPublicUrl(env['STUDIO_PUBLIC_URL'] || file.publicUrl)
  const givenHosts = flags.allowHost
    ? parseHostNames(flags.allowHost, '--allow-host')
    : env['STUDIO_ALLOWED_HOSTS']
      ? parseHostNames(list('STUDIO_ALLOWED_HOSTS'), 'STUDIO_ALLOWED_HOSTS')
      : (file.allowedHosts ?? [])
  return {
    host: flags.host ?? (env['STUDIO_HOST'] || file.host || '127.0.0.1'),
    port: flags.port ?? parsePort(env['STUDIO_PORT']) ?? file.port ?? 4317,
    /** A Unix socket to listen on instead; null for host and port. */
    socket: requireNoSocketOnWindows(path(flags.socket || env['STUDIO_SOCKET'])),
    /** Additional host names of requests, such as those of a proxy. */
    allowedHosts: [...givenHosts, ...listPublicHosts(publicUrl)],
    /** Where others reach the service, without a path: `https://studio.example.com`. Null if it is not set. */
    publicUrl,
    /** Addresses and networks of proxies whose X-Forwarded-For is trusted; `unix` for the socket. */
    trustedProxies: flags.trustProxy
      ? parseProxies(flags.trustProxy, '--trust-proxy')
      : parseProxies(list('STUDIO_TRUSTED_PROXIES'), 'STUDIO_TRUSTED_PROXIES'),
    /** Null to choose by whether standard error is a terminal. */
    log:
      parseChoice(flags.log, '--log', LogFormat.options) ??
      parseChoice(env['STUDIO_LOG'], 'STUDIO_LOG', LogFormat.options) ??
      file.log ??
      null,
    /** Null for standard error. */
    logFile: path(flags.logFile || env['STUDIO_LOG_FILE']),
    metrics: flags.metrics ?? (parseSwitch(env, 'STUDIO_METRICS') ?? (file.metrics ? 'on' : 'off')) === 'on',
    /** The memory for pages of a database in files, in megabytes. */
    pageCacheMb:
      parseNumber(env, 'STUDIO_PAGE_CACHE_MB', PageCacheMb, 'a number of megabytes') ??
      file.pageCacheMb ??
      DEFAULT_PAGE_CACHE_MB,
    /** Requests per second of one caller, in the mean of a few seconds; 0 for no limit. */
    rateLimit:
      parseNumber(env, 'STUDIO_RATE_LIMIT', RequestRate, 'a number of requests per second') ??
      file.rateLimit ??
      DEFAULT_RATE_LIMIT,
    /** Expensive calls that one caller may have under way; 0 for no limit. */
    concurrentCalls:
      parseNumber(env, 'STUDIO_CONCURRENT_CALLS', ConcurrentCalls, 'a number of calls') ??
      file.concurrentCalls ??
      DEFAULT_CONCURRENT_CALLS,
    /** Minutes between two syncs of the work items; `off` for none, null for the default. */
    syncEveryMinutes: parseSyncInterval(env) ?? file.syncEveryMinutes ?? null,
  }
}

function readPublicUrl(address: string | undefined): string | null {
  if (!address) return null
  const parsed = parseServiceAddress(address)
  if (parsed !== null) return parsed
  throw new StudioError('invalid', `serve.publicUrl ${SERVICE_ADDRESS_RULE}.`, {
    hint: 'For example: studio config set serve.publicUrl https://studio.example.com',
  })
}

/** The name in the public address, which requests through a proxy have. */
function listPublicHosts(publicUrl: string | null): string[] {
  const { host, hostname } = new URL(publicUrl ?? 'http://localhost')
  return isLoopbackHost(hostname) ? [] : [host]
}

function parseSyncInterval(env: NodeJS.ProcessEnv): number | 'off' | null {
  const name = 'STUDIO_SYNC_EVERY_MINUTES'
  return env[name] === 'off' ? 'off' : parseNumber(env, name, SyncInterval, 'off, or a number of minutes')
}

function parseHostNames(names: readonly string[], source: string): string[] {
  const parsed = z.array(HostName).safeParse(names)
  if (parsed.success) return parsed.data
  throw new StudioError('invalid', `${source} must be names such as docks.example.com, not "${names.join(' ')}".`)
}

function parseProxies(names: readonly string[], source: string): string[] {
  if (names.every(isProxyName)) return [...names]
  throw new StudioError(
    'invalid',
    `${source} must be addresses or networks such as 127.0.0.1 or 10.0.0.0/8, or unix, not "${names.join(' ')}".`,
  )
}

/** Whether a text is `unix`, an address or a network such as `10.0.0.0/8`. Host names would need a lookup for each request. */
function isProxyName(text: string): boolean {
  return text === 'unix' || isNetwork(text)
}

/** Whether a text is an address, or a network such as `10.0.0.0/8`. */
export function isNetwork(text: string): boolean {
  const [address, bits, ...more] = text.split('/') as [string, string?]
  const version = isIP(address)
  if (version === 0 || more.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

function parsePort(value: string | undefined): number | null {
  if (!value) return null
  const port = Number(value)
  if (Number.isInteger(port) && port >= 0 && port <= 65535) return port
  throw new StudioError('invalid', 'STUDIO_PORT must be a port between 0 and 65535.')
}

export function parseNumber(env: NodeJS.ProcessEnv, name: string, schema: z.ZodInt, kind: string): number | null {
  const value = env[name]
  if (!value) return null
  const parsed = schema.safeParse(Number(value))
  if (parsed.success) return parsed.data
  throw new StudioError('invalid', `${name} must be ${kind} between ${schema.minValue} and ${schema.maxValue}.`)
}

export function parseSwitch(env: NodeJS.ProcessEnv, name: string): 'on' | 'off' | null {
  return parseChoice(env[name], name, ['on', 'off'])
}

/** Node.js has pipes there instead, which other users may open. */
function requireNoSocketOnWindows(path: string | null): string | null {
  if (path !== null && process.platform === 'win32')
    throw new StudioError('invalid', 'This system does not support Unix sockets here.', { hint: 'Use --port.' })
  return path
}
