import { describe, expect, it } from 'vitest'
import { loadAllOperations } from '../../src/catalog'
import {
  type Actor,
  type AnyOperation,
  authorize,
  type Context,
  execute,
  isDockAccess,
  type OperationId,
  type Role,
  roles,
  type StudioError,
  silentLog,
} from '../../src/kernel'

const operations = (await loadAllOperations()).filter(({ access }) => !isDockAccess(access))

/** The operations of each role that the roles before it may not call. All others of the stories are for readers. */
const added: Record<Exclude<Role, 'reader'>, readonly OperationId[]> = {
  editor: [
    'features.import',
    'features.import-many',
    'items.import-single',
    'items.import-file',
    'items.sync',
    'items.resolve',
    'queries.import',
    'search.reindex',
    'drafts.copy-sanitize',
    'drafts.save',
    'drafts.move',
    'drafts.delete',
    'drafts.undo',
    'drafts.refine',
    'folders.create',
    'folders.update',
    'folders.delete',
    'filters.save',
    'filters.delete',
    'filters.set-working',
    'filters.clear-working',
    'views.save',
    'views.delete',
    'priorities.set',
  ],
  publisher: [
    'items.batch-update',
    'items.create',
    'items.link',
    'items.unlink',
    'items.comment',
    'items.attach',
    'items.attach-files',
    'items.move',
    'items.assign',
    'items.delete',
    'items.restore',
    'items.edit-comment',
    'items.delete-comment',
    'items.add-web-link',
    'items.remove-web-link',
    'items.log-work',
    'items.publish-draft',
    'items.publish-tree',
  ],
  admin: operations.flatMap(({ id, access }) => (access === 'admin' ? [id as OperationId] : [])),
}

function roleOf({ id }: AnyOperation): Role {
  return roles.find((role) => role !== 'reader' && added[role].includes(id as OperationId)) ?? 'reader'
}

const person = (role: Role | null): Actor => ({ kind: 'user', name: 'ann', role, tokenId: null, personId: 'p1' })

function isAllowed(op: AnyOperation, actor: Actor): boolean {
  try {
    authorize(op, actor)
    return true
  } catch {
    return false
  }
}

const context = (actor: Actor): Context => ({
  actor,
  clock: { now: () => 0 },
  ids: { uuid: () => '00000000-0000-4000-8000-000000000000', secret: () => '' },
  log: silentLog,
  signal: new AbortController().signal,
  progress: () => {},
})

describe.each(operations.map((op) => [op.id, op] as const))('%s', (_id, op) => {
  it('may be called with its role and with those above it', () => {
    const allowed = roles.filter((role) => isAllowed(op, person(role)))
    expect(allowed).toEqual(op.access === 'public' ? roles : roles.slice(roles.indexOf(roleOf(op))))
  })

  it('refuses all others before it looks at the input', async () => {
    const others = [null, ...roles].filter((role) => !isAllowed(op, person(role)))
    for (const role of others)
      await expect(execute(op, { nothing: 'known' }, context(person(role)))).rejects.toMatchObject({
        code: 'forbidden',
      })
    expect(others.includes(null)).toBe(op.access !== 'public')
  })

  it('is open to the owner of this machine', () => {
    expect(isAllowed(op, { kind: 'terminal', tenant: 'default' })).toBe(true)
    expect(isAllowed(op, { kind: 'local' })).toBe(op.access !== 'admin')
    expect(isAllowed(op, { kind: 'anonymous' })).toBe(op.access === 'public')
  })
})

describe('a refusal', () => {
  const refusalOf = (actor: Actor) => {
    try {
      authorize({ access: 'workspace', effect: 'write', changesTracker: true }, actor)
    } catch (error) {
      return (error as StudioError).message
    }
  }

  it('names the role that is needed, and the one that the caller has', () => {
    expect(refusalOf(person('editor'))).toBe('This call needs the role publisher. Yours is editor.')
    expect(refusalOf(person(null))).toBe('This call needs the role publisher. You have none.')
    const token: Actor = { kind: 'user', name: 'ci', role: 'reader', tokenId: 't1' }
    expect(refusalOf(token)).toBe('This call needs the role publisher. The token has the role reader.')
    expect(refusalOf({ kind: 'anonymous' })).toBe('This call needs a token with the role publisher.')
  })
})
