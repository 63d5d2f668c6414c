import { hostname, userInfo } from 'node:os'
import { type Actor, type CallOrigin, callerOf, isDockAccess, type RecordedOperation, type Surface } from '../../kernel'
import { isRecord } from '../../kernel/json'
import type { NewEntry } from '../queries/audit-entries'

const MAX_LENGTH = 200

type Caller = Pick<NewEntry, 'who' | 'credential' | 'tenant'>

/** Who calls, as an entry names them. */
export function describeCaller(actor: Actor, { access }: Pick<RecordedOperation, 'access'>, input: unknown): Caller {
  switch (actor.kind) {
    case 'terminal': {
      const named = isRecord(input) && typeof input['tenant'] === 'string' ? input['tenant'] : actor.tenant
      return {
        who: toStored(readAccountName()),
        credential: null,
        tenant: isDockAccess(access) ? toStored(named) : null,
      }
    }
    case 'user':
      return {
        who: toStored(actor.name),
        credential: actor.personId === undefined && actor.tokenId === null ? 'jwt' : toStored(callerOf(actor)),
        tenant: null,
      }
    case 'dock':
      return { who: toStored(actor.credential.name), credential: toStored(callerOf(actor)), tenant: actor.tenantId }
    default:
      return { who: actor.kind, credential: null, tenant: null }
  }
}

/** Text that every engine stores. */
function toStored(text: string): string {
  return Buffer.from(text.replaceAll('\0', ' ').slice(0, MAX_LENGTH)).toString()
}

let accountName: string | null = null

function readAccountName(): string {
  accountName ??= findAccountName()
  return accountName
}

/** A container may run as a user without a name. */
function findAccountName(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}

/** The origin of calls that this process makes by itself, or for the person who started it. */
export function createLocalOrigin(surface: Surface, requestId: string): CallOrigin {
  return { surface, requestId, address: `${hostname()}, process ${process.pid}` }
}
