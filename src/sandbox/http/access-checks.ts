import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { equalsIgnoringCase } from '../../kernel/text/text'
import type { TrackerModel } from '../state/tracker-model'
import { WireError } from '../wire/response'
import type { QueryParameters } from './endpoint'

const LOOPBACK_NAMES = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Blocks web pages of other sites, because a listener on loopback requires no credential: such pages use another host name. */
export function checkHostAndOrigin({ host = '', origin }: IncomingHttpHeaders): void {
  if (!LOOPBACK_NAMES.has(host.replace(/:\d+$/, '').toLowerCase()))
    throw new WireError(403, 'AccessCheckException', 'The Host header is not this machine.')
  if (origin !== undefined && origin !== `http://${host}`)
    throw new WireError(403, 'AccessCheckException', 'The Origin header is another site.')
}

/** Accepts the personal access token as the password of Basic or as Bearer. Without a configured token, every request passes. */
export function checkCredential(authorization: string | undefined, token: string | null): void {
  if (token === null) return
  const given = parseCredential(authorization ?? '')
  if (given !== null && timingSafeEqual(digest(given), digest(token))) return
  throw new WireError(
    401,
    'UnauthorizedRequestException',
    "TF400813: The user 'anonymous' is not authorized to access this resource.",
  )
}

function parseCredential(authorization: string): string | null {
  const [, scheme, value] = /^(Basic|Bearer)\s+(\S+)$/i.exec(authorization) ?? []
  if (!scheme || !value) return null
  if (scheme.toLowerCase() === 'bearer') return value
  const pair = Buffer.from(value, 'base64').toString('utf8')
  return pair.slice(pair.indexOf(':') + 1)
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** Accepts any version from 5.0 to 7.x, preview or not. GET and OPTIONS need no version. */
export function checkVersion(method: string, query: QueryParameters, accept: string | undefined): void {
  const version = query.text('api-version') ?? /api-version=([^;,\s]+)/i.exec(accept ?? '')?.[1] ?? null
  if (version === null) {
    if (method === 'GET' || method === 'OPTIONS') return
    throw new WireError(
      400,
      'VssVersionNotSpecifiedException',
      `No api-version was supplied for the "${method}" request. The version must be supplied either as part of the Accept header (e.g. "application/json; api-version=1.0") or as a query parameter (e.g. "?api-version=1.0").`,
    )
  }
  if (/^[567]\.\d+(-preview(\.\d+)?)?$/i.test(version)) return
  throw new WireError(
    400,
    'VssVersionOutOfRangeException',
    `The requested REST API version of ${version} is out of range for this server. The latest REST API version this server supports is 7.2.`,
  )
}

/** Throws a 404 unless it is the name or the ID of the project. */
export function checkProject(name: string, { project }: TrackerModel): void {
  if (equalsIgnoringCase(name, project.name) || equalsIgnoringCase(name, project.id)) return
  throw new WireError(
    404,
    'ProjectDoesNotExistWithNameException',
    `TF200016: The following project does not exist: ${name}. Verify that the name of the project is correct and that the project exists on the specified server.`,
  )
}
